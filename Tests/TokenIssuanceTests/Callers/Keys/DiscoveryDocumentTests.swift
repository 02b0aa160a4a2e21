import FleetToken
import JOSE
import ServiceSupport
import TestSupport
import Testing

@testable import TokenIssuance

/// What an identity provider says of itself is read strictly, and only within the operator's settings.
struct DiscoveryDocumentTests {
    private static let issuer = "https://id.example/tenant"
    private static let url = "\(issuer)/.well-known/openid-configuration"
    private static let keys = "https://keys.example/keys"

    /// The provider's document with changes; a member that is null is left out.
    private static func document(_ changes: [String: JSONValue] = [:]) -> OutgoingResponse {
        let document: [String: JSONValue] = [
            "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
            "jwks_uri": .string(keys),
            "id_token_signing_alg_values_supported": .array([.string("RS256"), .string("ES256")]),
        ]
        let members = document.merging(changes) { $1 }.filter { $0.value != .null }
        return OutgoingResponse(status: 200, body: Secret(members.json))
    }

    private func fetch(_ http: FakeHTTP, _ algorithms: [JWSAlgorithm] = JWSAlgorithm.usual) async throws -> IssuerKeySet
    {
        let configuration = JWTIssuerConfiguration(
            issuer: Self.issuer,
            audiences: ["fleet-token"],
            algorithms: algorithms,
            keys: .discovery(try KeySetURL(discoveryOf: Self.issuer))
        )
        let fetching = KeySetFetching(http: http, clock: .stopped(), logger: RecordedLog().logger)
        return try await fetching.keys(of: KeySetPlan(configuration))
    }

    /// The error when the provider answers so, after one request.
    private func problem(
        _ response: OutgoingResponse,
        _ algorithms: [JWSAlgorithm] = JWSAlgorithm.usual
    ) async throws -> String {
        let http = FakeHTTP { _ in response }
        let error = await #expect(throws: KeySetFetchError.self) { try await fetch(http, algorithms) }
        #expect(http.requests.map(\.url) == [Self.url])
        return try #require(error).description
    }

    @Test
    func `The document, and then the keys that it names, are requested once`() async throws {
        let rsa = try SigningKey.shared(.rs256)
        let ec = try SigningKey.shared(.es256)
        let keySet = try [rsa.jwk(), ec.jwk()].keySet
        let http = FakeHTTP { request in
            request.url == Self.keys ? OutgoingResponse(status: 200, body: Secret(keySet)) : Self.document()
        }
        let set = try await fetch(http)
        #expect(set[rsa.id] != nil && set[ec.id] != nil)
        #expect(http.requests.map(\.url) == [Self.url, Self.keys])
    }

    @Test(
        arguments: [
            ("issuer", .string("https://id.example/other"), "names another issuer"),
            ("issuer", .null, "names another issuer"),
            ("issuer", .array([.string(issuer)]), "names another issuer"),
            ("issuer", .string("\(issuer)/"), "names another issuer"),
            ("jwks_uri", .null, "has no jwks_uri"),
            ("jwks_uri", .string("http://id.example/keys"), "must begin with https://"),
            ("jwks_uri", .string("https://169.254.169.254/keys"), "no user, password or IP address"),
            ("jwks_uri", .string("https://user@id.example/keys"), "no user, password or IP address"),
            ("jwks_uri", .string("file:///etc/passwd"), "must begin with https://"),
            (
                "id_token_signing_alg_values_supported", .array([.string("HS256"), .string("none")]),
                "none of the algorithms that are allowed"
            ),
            (
                "id_token_signing_alg_values_supported", .string("RS256"),
                "none of the algorithms that are allowed"
            ),
        ] as [(String, JSONValue, String)]
    )
    func `What a provider may not say is refused and named`(
        member: String,
        value: JSONValue,
        reason: String
    ) async throws {
        #expect(try await problem(Self.document([member: value])).contains(reason))
    }

    @Test
    func `A provider adds no algorithm to those that are allowed`() async throws {
        let problem = try await problem(Self.document(), [.edDSA])
        #expect(problem.contains("none of the algorithms that are allowed: EdDSA"))
    }

    @Test(
        arguments: [
            (200, "[]", "not a JSON object"), (200, #"{"issuer": "a", "issuer": "b"}"#, "not a JSON object"),
            (302, "", "status 302"), (404, "", "status 404"),
        ]
    )
    func `A document is read strictly, and no redirection is followed`(
        status: Int,
        body: String,
        reason: String
    ) async throws {
        let headers = status == 302 ? ["location": "https://other.example/"] : [:]
        let response = OutgoingResponse(status: status, headers: headers, body: Secret(body))
        #expect(try await problem(response).contains(reason))
    }

    @Test
    func `A document has 256 KiB at most`() async throws {
        let http = FakeHTTP(OutgoingError.tooLarge)
        let error = await #expect(throws: KeySetFetchError.self) { try await fetch(http) }
        #expect(error?.description.contains("larger than 256 KiB") == true)
        #expect(http.requests.map(\.maximumSize) == [262_144])
    }
}
