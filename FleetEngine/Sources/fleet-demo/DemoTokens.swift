import FleetEngineClient
import Foundation
import TokenProvider

/// The tokens of `tokend dev`, with a count of what became of them.
struct DemoTokens: Sendable {
    private struct Counts: Sendable {
        var latest: [DemoScope: String] = [:]
        var minted = 0
        var reused = 0
        /// Tokens that came before the last had expired.
        var refreshed = 0
        /// Tokens in place of one that Fleet Engine rejected.
        var replaced = 0
        var failed = 0
    }

    private let provider: FleetTokenProvider
    private let counts = Lock(Counts())

    init(server: URL) {
        var tokens = TokenServer(server)
        tokens.allowsInsecureHTTP = true
        provider = FleetTokenProvider(tokens) { _ in [:] }
    }

    /// Returns the token for a scope, in place of one that Fleet Engine rejected if there is one.
    func token(for scope: DemoScope, rejected: String?) async throws -> String {
        do {
            let token = try await fetch(Self.scope(scope), rejected: rejected)
            count(token, scope, rejected: rejected)
            return token
        } catch let error as TokenProviderError {
            counts.withLock { $0.failed += 1 }
            let code: FleetEngineError.Code = error.remedy == .wait ? .unavailable : .unauthenticated
            throw FleetEngineError(code, "No token: \(error.message)", retryAfter: error.retryAfter)
        }
    }

    private func fetch(_ scope: TokenScope, rejected: String?) async throws -> String {
        if let rejected { provider.invalidate(scope, rejected: Token(rejected)) }
        return try await provider.token(for: scope).text
    }

    private static func scope(_ scope: DemoScope) -> TokenScope {
        switch scope {
        case .server: .server
        case .deliveryServer: .deliveryServer
        case .app(.trip(let id)): .trip(id)
        case .app(.vehicle(let id)): .vehicle(id)
        case .app(.deliveryVehicle(let id)): .deliveryVehicle(id)
        case .app(.shipment(let id)): .shipment(id)
        }
    }

    private func count(_ token: String, _ scope: DemoScope, rejected: String?) {
        counts.withLock { counts in
            switch counts.latest.updateValue(token, forKey: scope) {
            case nil: counts.minted += 1
            case token?: counts.reused += 1
            default: if rejected == nil { counts.refreshed += 1 } else { counts.replaced += 1 }
            }
        }
    }

    /// The counts in words.
    var summary: String {
        let counts = counts.withLock { $0 }
        return "\(counts.minted) minted, \(counts.reused) reused, \(counts.refreshed) refreshed, "
            + "\(counts.replaced) replaced after a rejection, \(counts.failed) failed"
    }
}
