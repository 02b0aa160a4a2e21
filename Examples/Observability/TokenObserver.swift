import Foundation
import OSLog
import TokenProvider

/// Shows fetches of tokens in Instruments, counts them, and logs those that fail.
///
///     let observer = TokenObserver()
///     let tokens = CachingTokenProvider(server: server, observer: { observer.note($0) }, credentials: credentials)
///
/// Neither log nor counters contain an ID: events are aggregated by the kind of token.
nonisolated final class TokenObserver: Sendable {
    private let logger = Logger(subsystem: "com.example.rider", category: "tokens")
    private let signposter = OSSignposter(subsystem: "com.example.rider", category: "tokens")
    private let lock = NSLock()
    // Read and written only while `lock` is held.
    nonisolated(unsafe) private var counts: [String: Int] = [:]

    /// The number of events by name, kind and outcome, such as `fetchFinished driver ok`.
    var counters: [String: Int] { lock.withLock { counts } }

    func note(_ event: TokenProviderEvent) {
        let kind = event.scope?.kind.rawValue ?? "all"
        let outcome = event.error?.code.description ?? (event.name == .fetchFinished ? "ok" : "")
        lock.withLock { counts["\(event.name) \(kind) \(outcome)", default: 0] += 1 }
        guard event.name == .fetchFinished else { return }
        let milliseconds = Int((event.duration ?? 0) * 1000)
        signposter.emitEvent("token", "\(kind, privacy: .public) \(outcome, privacy: .public) \(milliseconds) ms")
        if let error = event.error { logger.error("\(kind, privacy: .public): \(error, privacy: .public)") }
    }
}
