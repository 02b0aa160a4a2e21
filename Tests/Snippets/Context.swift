// What the documentation's examples take for granted: the app around them. `scripts/check-snippets.sh` compiles it with
// them; it belongs to no target.

import ExpiringCache
import Foundation
import TokenProvider

// MARK: An app

nonisolated let tokenServer = URL(fileURLWithPath: "/")
nonisolated let providerID = "project"
nonisolated let tripID = "trip-1"
nonisolated let vehicleID = "vehicle-1"
nonisolated let session = Session()
nonisolated let tokens = CachingTokenProvider(server: tokenServer)
nonisolated let mapView = MapView()

nonisolated struct Session: Sendable {
    func accessToken() async throws -> String { "" }
    func idToken() async throws -> String { "" }
}

nonisolated struct MapView: Sendable {
    var navigator: NSObject? { nil }
}

/// Of Google's Consumer SDK.
nonisolated final class GMTCTripModel: NSObject {}

// MARK: A backend

nonisolated let apiKey = ""
nonisolated let source = HTTPTokenSource(server: tokenServer)
nonisolated let request = Request()
nonisolated let backend = Backend()
nonisolated let hits = Counter()
nonisolated let fetches = Counter()
nonisolated let client = Client()

nonisolated struct Request: Sendable {
    var headers: [String: String] {
        get { [:] }
        nonmutating set {}
    }
}

nonisolated struct Backend: Sendable {
    struct Answer: Sendable {
        let jwt: String
        let expiresInSeconds: Double
    }

    func mintToken(for scope: TokenScope) async throws -> Answer { Answer(jwt: "", expiresInSeconds: 0) }
}

nonisolated struct Counter: Sendable {
    func increment(kind: TokenKind) {}
    func record(
        _ kind: TokenKind,
        _ reason: TokenProviderEvent.FetchReason,
        _ duration: TimeInterval,
        _ code: TokenProviderError.Code?
    ) {}
}

nonisolated struct Client: Sendable {
    struct Answer: Sendable {
        let token: Token
        let expiresIn: Double
    }

    func token(named name: String) async throws -> Answer { throw CancellationError() }
}
