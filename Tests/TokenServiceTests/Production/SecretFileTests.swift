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
    func `The bytes of the file are the secret, without CR and LF at the end`() async throws {
        for bytes in [secret, Array(0...UInt8.max), secret + [0x20], [0x0A] + secret] {
            for end in ["", "\n", "\r\n", "\n\n", "\r\n\r\n", "\r"] {
                #expect(try await read(bytes + Array(end.utf8)) == bytes)
            }
        }
        #expect(try await read(secret, mode: 0o400) == secret)
    }

    @Test
    func `A secret with a byte-order mark is refused`() async {
        let error = await #expect(throws: OperatorError.self) { try await read([0xEF, 0xBB, 0xBF] + secret) }
        #expect(error?.description.contains("byte-order mark") == true)
    }

    @Test(arguments: [0, 1, 31])
    func `A secret of less than 32 bytes is refused, with the command that creates one`(count: Int) async {
        let short = [UInt8](repeating: 0x61, count: count)
        for bytes in [short, short + [0x0A]] {
            await #expect {
                try await read(bytes)
            } throws: { error in
                let text = (error as? OperatorError)?.description ?? ""
                return text.contains("/secret has less than 32 bytes") && text.contains("openssl rand -hex 32")
            }
        }
    }

    @Test
    func `A file that others can read is refused`() async {
        let error = await #expect(throws: OperatorError.self) { try await read(secret, mode: 0o640) }
        #expect(error?.description.contains(". Run: chmod 600") == true)
    }
}
