import Timing

@testable import ExpiringCache

/// A source whose fetches wait until the test answers them; like the worst of sources, it ignores cancellation.
final class TestSource: Sendable {
    /// A fetch that waits for its answer.
    struct Fetch: Sendable {
        let key: String
        let context: FetchContext
        private let continuation: UnsafeContinuation<Fetched<Int>, any Error>

        init(key: String, context: FetchContext, continuation: UnsafeContinuation<Fetched<Int>, any Error>) {
            self.key = key
            self.context = context
            self.continuation = continuation
        }

        func succeed(_ value: Int, lifetime: Seconds = 1_000) {
            continuation.resume(returning: Fetched(value, lifetime: lifetime))
        }

        func fail(_ error: any Error = TestError.retryable) {
            continuation.resume(throwing: error)
        }
    }

    private struct State: Sendable {
        var started = 0
        var unseen: [Fetch] = []
        var watcher: CheckedContinuation<Fetch, Never>?
    }

    private let state = Lock(State())

    /// How many fetches were started.
    var started: Int { state.withLock { $0.started } }

    /// The cache's fetch function.
    func fetch(_ key: String, _ context: FetchContext) async throws -> Fetched<Int> {
        // Not a checked one, which would complain of the fetches that a test never answers.
        try await withUnsafeThrowingContinuation { continuation in
            let fetch = Fetch(key: key, context: context, continuation: continuation)
            let watcher = state.withLock { state in
                state.started += 1
                if state.watcher == nil { state.unseen.append(fetch) }
                return state.watcher.take()
            }
            watcher?.resume(returning: fetch)
        }
    }

    /// The next fetch that starts, or that started and wasn't looked at.
    func next() async -> Fetch {
        await withCheckedContinuation { continuation in
            let fetch = state.withLock { state -> Fetch? in
                guard state.unseen.isEmpty else { return state.unseen.removeFirst() }
                state.watcher = continuation
                return nil
            }
            if let fetch { continuation.resume(returning: fetch) }
        }
    }
}

/// What a test's source throws.
enum TestError: Hashable, FetchFailure {
    case retryable
    case retryableAfter(Seconds)
    case permanent
    /// The source itself is overloaded, and asks for twenty seconds.
    case overloaded
    /// The source limits the rate of requests, and asks for twenty seconds.
    case limited
    /// The source was not contacted.
    case local

    var retry: FetchRetry {
        switch self {
        case .retryable: .retryable()
        case .retryableAfter(let seconds): .retryable(after: seconds)
        case .permanent, .local: .permanent
        case .overloaded, .limited: .retryable(after: 20)
        }
    }

    var extent: FailureExtent {
        switch self {
        case .overloaded: .source
        case .limited: .limit
        case .local: .none
        default: .undetermined
        }
    }
}
