import Dispatch
public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CachingTokenProvider {
    /// Gets a token and passes it to a function of the main actor, such as a closure of a view controller's.
    ///
    /// - Parameters:
    ///   - scope: What it opens.
    ///   - validFor: How many seconds it must still live, if more than the configuration's `minimumRemaining`.
    ///   - timeout: How many seconds to wait at most; nil for the configuration's `callTimeout`.
    ///   - completion: Is called exactly once, on the main queue and never from within this call. The provider lives
    ///     until then.
    public func token(
        for scope: TokenScope,
        validFor: TimeInterval = 0,
        timeout: TimeInterval? = nil,
        completion: @escaping @MainActor @Sendable (Result<Token, TokenProviderError>) -> Void
    ) {
        token(for: scope, validFor: validFor, timeout: timeout, queue: .main) { result in
            MainActor.assumeIsolated { completion(result) }
        }
    }
}
