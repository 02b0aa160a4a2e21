// What the documentation's examples take for granted: the app around them. `scripts/check-snippets.sh` compiles it with
// them; it belongs to no target.

import Foundation
import GoogleRidesharingConsumer
import GoogleRidesharingDriver
import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// MARK: An app

nonisolated let tokenServer = URL(fileURLWithPath: "/")
nonisolated let providerID = "project"
nonisolated let tripID = "trip-1"
nonisolated let vehicleID = "vehicle-1"
nonisolated let session = Session()
nonisolated let tokens = CachingTokenProvider(server: tokenServer) { _ in [:] }
nonisolated let authorization = SDKAuthorization { tokens }
nonisolated let scope = TokenScope.server
nonisolated let mapView = MapView()
nonisolated let pins = Pins()
nonisolated let sessionConfiguration = URLSessionConfiguration.ephemeral
nonisolated var status: String {
    get { "" }
    set {}
}
nonisolated var configuration: CachingTokenProvider.Configuration {
    get { .init() }
    set {}
}

nonisolated struct Session: Sendable {
    func accessToken(renewed: Bool = false) async throws -> String { "" }
}

nonisolated struct Pins: Sendable {
    func allow(_ challenge: URLAuthenticationChallenge) -> Bool { true }
}

/// The map of the Navigation SDK, whose navigator is nil until the user has agreed to its terms.
nonisolated struct MapView: Sendable {
    var navigator: NSObject? { nil }
}

/// The app's adapters, as the guide tells to copy them; `Examples/Adapters` has them.
nonisolated final class ConsumerAuthorization: NSObject, GMTCAuthorization, Sendable {
    init(_ authorization: SDKAuthorization) {}
    func fetchToken(
        with authorizationContext: GMTCAuthorizationContext?,
        completion: @escaping GMTCAuthTokenFetchCompletionHandler
    ) {}
}

nonisolated final class DriverAuthorization: NSObject, GMTDAuthorization, Sendable {
    init(_ authorization: SDKAuthorization, role: DriverRole) {}
    func fetchToken(
        with authorizationContext: GMTDAuthorizationContext?,
        completion: @escaping GMTDAuthTokenFetchCompletionHandler
    ) {}
}

/// Of Google's Consumer SDK.
nonisolated final class GMTCTripModel: NSObject {}

/// The app's own model, which the page on testing shows.
@MainActor
final class TripModel {
    var status = ""
    init(tokens: any TokenProviding) {}
    func follow(_ trip: ResourceID) async {}
}

// MARK: A backend

nonisolated let apiKey = ""
nonisolated let source = HTTPTokenSource(server: tokenServer)
nonisolated let request = Request()
nonisolated let backend = Backend()
nonisolated let hits = Counter()
nonisolated let fetches = Counter()

nonisolated struct Request: Sendable {
    var headers: [String: String] {
        get { [:] }
        nonmutating set {}
    }

    func setValue(_ value: String, forHTTPHeaderField name: String) {}
}

nonisolated struct Backend: Sendable {
    struct Answer: Sendable {
        let jwt: String
        let expiresInSeconds: Double
    }

    func mintToken(for scope: TokenScope, reuse: Bool) async throws -> Answer { Answer(jwt: "", expiresInSeconds: 0) }
}

nonisolated struct Counter: Sendable {
    func increment(kind: TokenKind?) {}
    func record(
        _ kind: TokenKind?,
        _ reason: TokenFetchReason?,
        _ duration: TimeInterval?,
        _ code: TokenErrorCode?
    ) {}
}
