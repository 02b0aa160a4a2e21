import EngineCoding
import FleetEngineClient
import Foundation
import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The tokens of `tokend dev`, with a count of those that were new.
struct DemoTokens: Sendable {
    private struct Counts: Sendable {
        var latest: [TokenPurpose: String] = [:]
        var minted = 0
        var reused = 0
    }

    private let apps: FleetTokenProvider
    private let trips: FleetTokenProvider
    private let deliveries: FleetTokenProvider
    private let counts = Lock(Counts())

    init(server: URL) {
        var tokens = TokenServer(server)
        tokens.allowsInsecureHTTP = true
        apps = FleetTokenProvider(tokens) { _ in [:] }
        trips = Self.backend("server", tokens)
        deliveries = Self.backend("delivery_server", tokens)
    }

    /// Returns the provider of a backend's tokens, which are for all IDs: the scope that is requested doesn't matter.
    private static func backend(_ kind: String, _ tokens: TokenServer) -> FleetTokenProvider {
        var tokens = tokens
        tokens.request = { url, request in
            var outgoing = URLRequest(url: url.appendingPathComponent("token/\(kind)"))
            if request.mustBeNew { outgoing.setValue("no", forHTTPHeaderField: "Fleet-Token-Reuse") }
            return outgoing
        }
        return FleetTokenProvider(tokens) { _ in [:] }
    }

    /// Returns the token for a purpose, in place of one that Fleet Engine rejected if there is one.
    func token(for purpose: TokenPurpose, rejected: String?) async throws -> String {
        do {
            let (provider, scope) = source(of: purpose)
            if let rejected { provider.invalidate(scope, rejected: Token(rejected)) }
            let token = try await provider.token(for: scope).text
            counts.withLock { counts in
                let isNew = counts.latest.updateValue(token, forKey: purpose) != token
                if isNew { counts.minted += 1 } else { counts.reused += 1 }
            }
            return token
        } catch let error as TokenProviderError {
            let code: FleetEngineError.Code = error.remedy == .wait ? .unavailable : .unauthenticated
            throw FleetEngineError(code, "No token: \(error.message)", retryAfter: error.retryAfter)
        }
    }

    private func source(of purpose: TokenPurpose) -> (FleetTokenProvider, TokenScope) {
        switch purpose {
        case .server: (trips, .vehicle("all"))
        case .deliveryServer: (deliveries, .deliveryVehicle("all"))
        case .trip(let id): (apps, .trip(id))
        case .vehicle(let id): (apps, .vehicle(id))
        case .deliveryVehicle(let id): (apps, .deliveryVehicle(id))
        case .shipment(let id): (apps, .shipment(id))
        }
    }

    /// The counts in words.
    var summary: String {
        counts.withLock { "\($0.minted) minted, \($0.reused) reused" }
    }
}
