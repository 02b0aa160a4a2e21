import JOSE
import StrictCoding
import TestSupport
import TestTraits
import Testing

@testable import ServiceConfiguration
@testable import TokenIssuance
@testable import TokenService

/// Issuers' answers as they arrive: one answer, bounded in size, neither followed elsewhere nor unpacked.
@Suite(.watchdog)
struct KeySetClientTests {
    private func answer(_ answer: TestIssuer.Answer) async throws -> KeySetAnswer {
        try await TestIssuer.run { issuer in
            issuer.answer(answer)
            return try await fetch(issuer)
        }
    }

    private func fetch(_ issuer: TestIssuer) async throws -> KeySetAnswer {
        let client = KeySetClient()
        let url = try KeySetURL(issuer.url, allowsLoopback: true)
        let result: Result<KeySetAnswer, any Error>
        do {
            result = .success(try await client.answer(from: url))
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        return try result.get()
    }

    @Test("A document arrives as it was sent, also in an encoding")
    func documents() async throws {
        let keys = try [SigningKey.shared(.es256).jwk()].keySet
        let plain = try await answer(.document(keys))
        #expect(plain.status == 200 && plain.body == keys && plain.retryAfter == nil)
        #expect(try await answer(.encoded([0x1F, 0x8B, 8], "gzip")).body == [0x1F, 0x8B, 8])
    }

    @Test("A redirect is an answer, and nobody else is asked")
    func redirects() async throws {
        try await TestIssuer.run { elsewhere in
            let answer = try await answer(.redirect(elsewhere.url))
            #expect(answer.status == 302)
            #expect(elsewhere.requests == 0)
        }
    }

    @Test("More than 256 KiB are refused, with and without a length")
    func sizes() async throws {
        let largest = [UInt8](repeating: 0x20, count: 262_144)
        #expect(try await answer(.document(largest)).body.count == largest.count)
        let failure = KeySetTransferError("The response is larger than 256 KiB.")
        await #expect(throws: failure) { try await answer(.document(largest + [0x20])) }
        await #expect(throws: failure) { try await answer(.endless) }
    }

    @Test(
        "An issuer's wish to be left alone arrives in seconds",
        arguments: [
            ("30", 30), ("12.5", 12.5), ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("86400", 3600),
            (String(repeating: "9", count: 40), 3600), ("soon", nil),
        ] as [(String, Double?)]
    )
    func waits(field: String, seconds: Double?) async throws {
        let answer = try await answer(.unavailable(retryAfter: field))
        #expect(answer.status == 503 && answer.retryAfter == seconds)
    }

    @Test("A fetch that is cancelled closes its connection", arguments: [TestIssuer.Answer.silence, .dribble])
    func cancellation(answer: TestIssuer.Answer) async throws {
        try await TestIssuer.run { issuer in
            issuer.answer(answer)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do {
                        _ = try await fetch(issuer)
                        return false
                    } catch is KeySetTransferError {
                        return true
                    }
                }
                await issuer.waitUntil { requests, _ in requests == 1 }
                group.cancelAll()
                let isTransferError = try await group.next()
                #expect(isTransferError == true)
            }
            await issuer.waitUntil { _, abandoned in abandoned == 1 }
        }
    }
}
