import FleetToken
import JOSE

/// An issuer as OpenID Connect has them: a key set over HTTP, and whatever can go wrong with it.
package struct TestIssuer: Sendable {
    /// What a request is answered with.
    package enum Answer: Sendable {
        case document([UInt8])
        /// Good keys, which must not be taken from an answer with this status.
        case status(Int)
        case redirect(String)
        /// 503 with this `Retry-After`, at 08:49:37 on 6 November 1994.
        case unavailable(retryAfter: String)
        /// More bytes than anybody wants, without a length.
        case endless
        /// The head and a few bytes, and nothing more.
        case dribble
        /// Not a byte.
        case silence
    }

    private let server: RawServer

    package var port: Int { server.port }
    package var url: String { "http://127.0.0.1:\(port)/keys" }

    /// How many requests came.
    package var requests: Int { server.requests.count }

    /// Runs an issuer that publishes a key for each algorithm, for as long as the closure runs.
    package static func run(_ body: @escaping @Sendable (TestIssuer) async throws -> Void) async throws {
        try await RawServer.run(.silence) { server in
            let issuer = TestIssuer(server: server)
            try issuer.publish(JWSAlgorithm.allCases.map(SigningKey.shared))
            try await body(issuer)
        }
    }

    package func publish(_ keys: [SigningKey], withAlgorithms: Bool = false) throws {
        answer(.document(try keys.map { try $0.jwk(withAlgorithm: withAlgorithms) }.keySet))
    }

    package func answer(_ answer: Answer) {
        let behaviour: RawServer.Behaviour =
            switch answer {
            case .document(let body): Self.http(200, body)
            case .status(let code):
                Self.http(code, (try? JWSAlgorithm.allCases.map { try SigningKey.shared($0).jwk() }.keySet) ?? [])
            case .redirect(let location): Self.http(302, [], fields: "Location: \(location)\r\n")
            case .unavailable(let time):
                Self.http(503, [], fields: "Retry-After: \(time)\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
            case .endless: .flood("HTTP/1.1 200 OK\r\n\r\n", then: String(repeating: " ", count: 65_536))
            case .dribble: .answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"keys\":")
            case .silence: .silence
            }
        server.behave(behaviour)
    }

    private static func http(_ status: Int, _ body: [UInt8], fields: String = "") -> RawServer.Behaviour {
        let fields = "Content-Type: application/json\r\n\(fields)Content-Length: \(body.count)\r\n"
        return .answer("HTTP/1.1 \(status) Status\r\n\(fields)\r\n\(String(decoding: body, as: UTF8.self))")
    }

    /// Returns once the numbers of requests that came and of connections that ended are as they should be.
    package func waitUntil(_ condition: (_ requests: Int, _ abandoned: Int) -> Bool) async {
        await server.waitUntil { condition($0.requests.count, $0.ended) }
    }
}
