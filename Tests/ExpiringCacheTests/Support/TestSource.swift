import Timing

@testable import ExpiringCache

/// A source whose fetches wait until the test answers them; like the worst of sources, it ignores cancellation.
final class TestSource: Sendable {
    /// A fetch that waits for its answer.
    struct Fetch: Sendable {
        let key: String
        let reason: FetchReason
        fileprivate let continuation: UnsafeContinuation<Fetched<Int>, any Error>

        func succeed(_ value: Int, lifetime: Seconds = 1_000) {
            continuation.resume(returning: Fetched(value, lifetime: lifetime))
        }

        func fail(_ error: any Error = TestError.retryable) {
            continuation.resume(throwing: error)
        }
    }

    private let count = Lock(0)
    private let (fetches, begin) = AsyncStream.makeStream(of: Fetch.self)

    /// How many fetches were started.
    var started: Int { count.withLock { $0 } }

    /// The cache's fetch function.
    func fetch(_ key: String, _ reason: FetchReason) async throws -> Fetched<Int> {
        // Not a checked one, which would complain of the fetches that a test never answers.
        try await withUnsafeThrowingContinuation { continuation in
            count.withLock { $0 += 1 }
            begin.yield(Fetch(key: key, reason: reason, continuation: continuation))
        }
    }

    /// The next fetch that starts, or that started and wasn't looked at.
    func next() async -> Fetch {
        for await fetch in fetches { return fetch }
        preconditionFailure("The task of a test was cancelled.")
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
