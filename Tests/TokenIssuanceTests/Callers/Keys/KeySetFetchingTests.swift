import FleetToken
import JOSE
import ServiceSupport
import TestSupport
import Testing

@testable import TokenIssuance

/// Fetching an issuer's keys: the request, and the error when there are none.
@Suite struct KeySetFetchingTests {
    private static let url = "https://id.example.com/keys"

    private func fetch(_ http: FakeHTTP) async throws -> IssuerKeySet {
        let configuration = JWTIssuerConfiguration(
            issuer: "https://id.example.com",
            audiences: ["fleet-token"],
            algorithms: [.es256],
            keys: .url(KeySetURL(known: Self.url))
        )
        let fetching = KeySetFetching(http: http, clock: .stopped(), logger: RecordedLog().logger)
        return try await fetching.keys(of: KeySetPlan(configuration))
    }

    @Test
    func `One request, for JSON, of at most 256 KiB`() async throws {
        let keys = try [SigningKey.shared(.es256).jwk()].keySet
        let http = FakeHTTP(200, String(decoding: keys, as: UTF8.self))
        let set = try await fetch(http)
        #expect(set[try SigningKey.shared(.es256).id] != nil)
        let request = try #require(http.requests.first)
        #expect(http.requests.count == 1)
        #expect(request.method == .get && request.url == Self.url && request.body == nil && request.bearer == nil)
        #expect(request.headers.map { "\($0.name): \($0.value)" } == ["Accept: application/json"])
        #expect(request.maximumSize == 262_144)
        #expect(request.timeout == .seconds(10))
        #expect(request.authorities == nil)
    }

    @Test(
        arguments: [
            (OutgoingError.tooLarge, "The response is larger than 256 KiB."),
            (.timedOut, "Fetching failed: timed out."),
            (.failed("Connection refused"), "Fetching failed: Connection refused."),
        ]
    )
    func `Without a response the error says why`(error: OutgoingError, description: String) async throws {
        let failure = await #expect(throws: KeySetFetchError.self) { try await fetch(FakeHTTP(error)) }
        #expect(failure?.description == description)
        #expect(failure?.retryAfter == nil)
    }

    @Test(arguments: [("gzip", "gzip"), ("BR", "br"), ("secret", "an unknown one")])
    func `A set with a content coding is refused by its name`(field: String, name: String) async throws {
        let http = FakeHTTP(200, "x", headers: ["content-encoding": field])
        let failure = await #expect(throws: KeySetFetchError.self) { try await fetch(http) }
        #expect(failure?.description.contains("content coding (\(name))") == true)
    }

    @Test(
        arguments: [
            (503, "30", 30), (503, "12.5", 12.5), (429, "86400", 3600), (302, "soon", nil), (404, nil, nil),
        ] as [(Int, String?, Double?)]
    )
    func `A status other than 200 is an error with the issuer's Retry-After`(
        status: Int,
        field: String?,
        seconds: Double?
    ) async throws {
        let http = FakeHTTP(status, "", headers: field.map { ["retry-after": $0] } ?? [:])
        let failure = await #expect(throws: KeySetFetchError.self) { try await fetch(http) }
        #expect(failure?.description == "The response has status \(status) instead of 200.")
        #expect(failure?.retryAfter == seconds.map { Duration.seconds($0) })
    }
}
