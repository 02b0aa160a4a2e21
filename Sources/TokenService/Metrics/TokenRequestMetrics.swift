import FleetToken
import Metrics
import ServiceSupport
import Synchronization
import TokenIssuance

/// Counts the requests for tokens, each once, by how it ended.
final class TokenRequestMetrics: Sendable {
    /// How a request ended.
    enum Result: String {
        /// With a new token.
        case signed
        /// With a token that was signed for an earlier request.
        case reused
        /// It failed before its caller was known, and the service is not the reason.
        case unauthenticated
        /// The caller is known, and the request was refused.
        case refused
        /// The service, or a service that it needs, failed: before authentication, too, if its clock is wrong or it has no
        /// keys of the issuer.
        case failed
        /// The client had gone before it ended.
        case abandoned
    }

    /// What is not known is `none`.
    private struct Labels: MetricLabels {
        let kind: TokenKind?
        let result: Result
        let reason: TokenError.Reason?
        let caller: String?

        var dimensions: [(String, String)] {
            [
                ("kind", kind?.rawValue ?? "none"), ("result", result.rawValue),
                ("reason", reason?.rawValue ?? "none"), ("caller", caller ?? "none"),
            ]
        }
    }

    /// The maximum number of callers, for reloads that rename them again and again.
    static let maximumCallers = 256

    private let counters: MetricFamily<Labels, Counter>
    private let callers = Mutex<Set<String>>([])

    init(factory: any MetricsFactory) {
        counters = MetricFamily("fleet_token_requests_total", factory: factory)
    }

    /// Adds the callers of a configuration: their tokens are counted from zero, so that a rate sees the first, and a service that
    /// gets no requests has series.
    func add(_ names: [String], of kinds: [TokenKind]) {
        for name in names {
            let isKnown = callers.withLock { callers in
                if callers.count < Self.maximumCallers { callers.insert(name) }
                return callers.contains(name)
            }
            for kind in kinds where isKnown {
                for result in [Result.signed, .reused] {
                    _ = counters[Labels(kind: kind, result: result, reason: nil, caller: name)]
                }
            }
        }
    }

    /// Counts a request.
    ///
    /// Its caller is the authenticated one, or the one that it failed to be.
    func count(_ outcome: Outcome) {
        let name = outcome.caller?.name ?? outcome.refusal?.failure?.caller
        let caller = name.flatMap { name in callers.withLock { $0.contains(name) } ? name : nil }
        let reason = outcome.refusal?.error.reason
        counters[Labels(kind: outcome.kind, result: Result(outcome), reason: reason, caller: caller)].increment()
    }
}

extension TokenRequestMetrics.Result {
    fileprivate init(_ outcome: Outcome) {
        switch outcome.ending {
        case .issued(_, _, let isReused): self = isReused ? .reused : .signed
        case .refused(.abandoned, _): self = .abandoned
        case .refused(let refusal, _) where refusal.error.reason.code >= 500: self = .failed
        case .refused: self = outcome.caller == nil ? .unauthenticated : .refused
        }
    }
}
