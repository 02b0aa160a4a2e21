import FleetEngineClient
import Foundation
import TokenProvider

/// Whose token a request has.
enum DemoScope: Hashable, Sendable {
    case app(TokenPurpose)
    case server
    case deliveryServer
}

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

    private let provider: CachingTokenProvider
    private let counts = Lock(Counts())

    init(server: URL) {
        provider = CachingTokenProvider(source: HTTPTokenSource(server: server))
    }

    /// Returns the token for a scope, in place of one that Fleet Engine rejected if there is one.
    func token(for scope: DemoScope, rejected: String?) async throws -> String {
        do {
            let token = try await fetch(try Self.scope(scope), rejected: rejected)
            count(token, scope, rejected: rejected)
            return token
        } catch let error as TokenProviderError {
            counts.withLock { $0.failed += 1 }
            let code: FleetEngineError.Code = error.needsAction ? .unauthenticated : .unavailable
            throw FleetEngineError(code, "No token: \(error.message)", retryAfter: error.retryAfter)
        }
    }

    private func fetch(_ scope: TokenScope, rejected: String?) async throws -> String {
        let token = try await provider.token(for: scope)
        guard token.revealText() == rejected else { return token.revealText() }
        provider.invalidate(token)
        return try await provider.token(for: scope).revealText()
    }

    private static func scope(_ scope: DemoScope) throws -> TokenScope {
        switch scope {
        case .server: .server
        case .deliveryServer: .deliveryServer
        case .app(.trip(let id)): .consumer(trip: try ResourceID(id))
        case .app(.vehicle(let id)): .driver(vehicle: try ResourceID(id))
        case .app(.deliveryVehicle(let id)): .deliveryDriver(vehicle: try ResourceID(id))
        case .app(.shipment(let id)): .deliveryConsumer(tracking: try ResourceID(id))
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
