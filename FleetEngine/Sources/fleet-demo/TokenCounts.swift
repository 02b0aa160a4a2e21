import Foundation
import TokenProvider

/// Counts what the token provider does.
final class TokenCounts: Sendable {
    struct Counts: Sendable {
        /// Tokens for scopes that had none.
        var minted = 0
        var reused = 0
        /// Tokens that came before the last had expired.
        var refreshed = 0
        /// Tokens in place of one that Fleet Engine rejected.
        var replaced = 0
        var failed = 0
    }

    private let counts = Lock(Counts())

    var current: Counts { counts.withLock { $0 } }

    func note(_ event: TokenProviderEvent) {
        counts.withLock { counts in
            switch event.name {
            case .hit: counts.reused += 1
            case .fetchFinished where event.error != nil: counts.failed += 1
            case .fetchFinished:
                switch event.reason {
                case .refreshAhead, .expired: counts.refreshed += 1
                case .tokenRejected: counts.replaced += 1
                default: counts.minted += 1
                }
            default: break
            }
        }
    }
}

extension TokenCounts.Counts: CustomStringConvertible {
    var description: String {
        "\(minted) minted, \(reused) reused, \(refreshed) refreshed, \(replaced) replaced after a rejection, "
            + "\(failed) failed"
    }
}

extension CachingTokenProvider {
    /// Creates a provider of tokens from `tokend dev`.
    convenience init(demo server: URL, counts: TokenCounts) {
        self.init(source: HTTPTokenSource(server: server), observer: { counts.note($0) })
    }
}
