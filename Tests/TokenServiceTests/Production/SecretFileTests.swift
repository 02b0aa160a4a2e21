import FleetToken
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenService

struct SecretFileTests {
    private func read(_ bytes: [UInt8], mode: Int = 0o600) async throws -> [UInt8] {
        try await KeySite.with { site in
            Array(try SecretFile.read(try site.write("secret", bytes, mode: mode)).reveal())
        }
    }

    private let secret = [UInt8](repeating: 0x61, count: 32)

    @Test
    func `The bytes of the file are the secret, without one newline at the end`() async throws {
        for bytes in [secret, Array(0...UInt8.max), secret + [0x0A], [0x0A] + secret] {
            #expect(try await read(bytes + [0x0A]) == bytes)
        }
        #expect(try await read(secret, mode: 0o400) == secret)
    }

    @Test(arguments: [0, 1, 31])
    func `A secret of less than 32 bytes is refused, with the command that creates one`(count: Int) async {
        let short = [UInt8](repeating: 0x61, count: count)
        for bytes in [short, short + [0x0A]] {
            await #expect {
                try await read(bytes)
            } throws: { error in
                let text = (error as? ConfigurationError)?.description ?? ""
                return text.contains("/secret has less than 32 bytes") && text.contains("openssl rand -hex 32")
            }
        }
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o606, 0o644])
    func `A file that others can read or change is refused`(mode: Int) async {
        let error = await #expect(throws: FileError.self) { try await read(secret, mode: mode) }
        #expect(error?.description.contains(". Run: chmod 600") == true)
    }
}
