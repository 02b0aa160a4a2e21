import FleetEngineClient
import Foundation
import TokenProvider

/// The tokens of `tokend dev`, with a count of what the provider of tokens does.
struct DemoTokens: Sendable {
    private let provider: CachingTokenProvider
    private let counts: Counts

    init(server: URL) {
        let counts = Counts()
        self.counts = counts
        provider = CachingTokenProvider(source: HTTPTokenSource(server: server), observer: { counts.note($0) })
    }

    /// Returns the token for a scope, in place of one that Fleet Engine rejected if there is one.
    func token(for scope: TokenScope, rejected: String?) async throws -> String {
        if let rejected {
            let token = try await provider.token(for: scope)
            guard token.revealText() == rejected else { return token.revealText() }
            provider.invalidate(token)
        }
        return try await provider.token(for: scope).revealText()
    }

    /// What the client of Fleet Engine gets its tokens from.
    @Sendable
    func source(_ purpose: TokenPurpose, _ rejected: String?) async throws -> String {
        let scope: TokenScope =
            switch purpose {
            case .trip(let id): .consumer(trip: try ResourceID(id))
            case .vehicle(let id): .driver(vehicle: try ResourceID(id))
            case .deliveryVehicle(let id): .deliveryDriver(vehicle: try ResourceID(id))
            case .shipment(let id): .deliveryConsumer(tracking: try ResourceID(id))
            }
        do {
            return try await token(for: scope, rejected: rejected)
        } catch let error as TokenProviderError {
            let code: FleetEngineError.Code = error.needsAction ? .unauthenticated : .unavailable
            throw FleetEngineError(code, "No token: \(error.message)", retryAfter: error.retryAfter)
        }
    }

    /// The counts in words.
    var summary: String { counts.summary }

    private final class Counts: Sendable {
        private let values = Lock((minted: 0, reused: 0, refreshed: 0, replaced: 0, failed: 0))

        func note(_ event: TokenProviderEvent) {
            values.withLock { values in
                switch event.name {
                case .hit: values.reused += 1
                case .fetchFinished where event.error != nil: values.failed += 1
                case .fetchFinished:
                    switch event.reason {
                    case .refreshAhead, .expired: values.refreshed += 1
                    case .tokenRejected: values.replaced += 1
                    default: values.minted += 1
                    }
                default: break
                }
            }
        }

        var summary: String {
            let counts = values.withLock { $0 }
            return "\(counts.minted) minted, \(counts.reused) reused, \(counts.refreshed) refreshed, "
                + "\(counts.replaced) replaced after a rejection, \(counts.failed) failed"
        }
    }
}
