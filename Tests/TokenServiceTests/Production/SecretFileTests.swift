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

    @Test("The bytes of the file are the secret")
    func bytesAreTheSecret() async throws {
        #expect(try await read(secret) == secret)
        let binary = Array(0...UInt8.max)
        #expect(try await read(binary) == binary)
    }

    @Test("One newline at the end is ignored")
    func oneNewlineAtTheEndIsNotPartOfIt() async throws {
        #expect(try await read(secret + [0x0A]) == secret)
        #expect(try await read(secret + [0x0A, 0x0A]) == secret + [0x0A])
        #expect(try await read([0x0A] + secret) == [0x0A] + secret)
    }

    @Test("A secret of less than 32 bytes is refused, with the command that creates one", arguments: [0, 1, 31])
    func guessableOneIsRefused(count: Int) async {
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

    @Test("A file that others can read or change is refused", arguments: [0o640, 0o604, 0o660, 0o606, 0o644])
    func oneThatOthersReachIsRefused(mode: Int) async {
        await #expect {
            try await read(secret, mode: mode)
        } throws: { error in
            (error as? FileError)?.description.contains(". Run: chmod 600") ?? false
        }
    }

    @Test("A file of its owner only is read", arguments: [0o600, 0o400])
    func oneThatOnlyItsOwnerReachesIsRead(mode: Int) async throws {
        #expect(try await read(secret, mode: mode) == secret)
    }
}
