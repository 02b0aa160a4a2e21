import ExpiringCache
import FleetToken
import Foundation
import Timing

/// Implements the authorization object that Google's Consumer and Driver SDKs require, without depending on the SDKs.
///
/// An app's `GMTCAuthorization` or `GMTDAuthorization` forwards the SDK's calls to it; the guide has both to copy. The
/// SDKs keep their authorization object for as long as the process runs, so the provider is determined at each call:
/// return that of the user who is signed in.
public final class SDKAuthorization: Sendable {
    typealias Completion = @Sendable (String?, (any Error)?) -> Void

    private static let queue = DispatchQueue.global(qos: .userInitiated)

    private let provider: @Sendable () -> (any TokenProviding)?
    private let deliveredTokens: DeliveredTokens

    /// Creates an authorization with the tokens of the current provider at each call.
    ///
    /// An app with one provider passes `{ tokens }`.
    ///
    /// - Parameter provider: Returns the provider; nil if no user is signed in, for which the SDK gets
    ///   ``TokenErrorCode/unauthenticated``. It is called on any queue.
    public convenience init(_ provider: @escaping @Sendable () -> (any TokenProviding)?) {
        self.init(clock: .system, provider: provider)
    }

    init(clock: AgeClock, provider: @escaping @Sendable () -> (any TokenProviding)?) {
        self.provider = provider
        deliveredTokens = DeliveredTokens(clock: clock)
    }

    /// Fetches a rider's token for the Consumer SDK.
    ///
    /// - Parameters:
    ///   - tripID: The `tripID` of the SDK's context; nil if there is no context, which is an error.
    ///   - completion: The SDK's own completion handler; a closure of the app would run off its actor. It is called exactly
    ///     once and never before this method returns, on a system queue, with a token or a ``TokenProviderError``.
    public func fetchToken(tripID: String?, completion: @escaping (String?, (any Error)?) -> Void) {
        deliver(SDKScope(.consumer, tripID), to: Self.sendable(completion))
    }

    /// Fetches a driver's token for the Driver SDK.
    ///
    /// - Parameters:
    ///   - vehicleID: The `vehicleID` of the SDK's context; nil if there is no context, which is an error.
    ///   - taskID: The `taskID` of the SDK's context. Only tokens of a trusted delivery driver contain it.
    ///   - role: The driver's role, which the SDK doesn't specify.
    ///   - completion: The SDK's own completion handler; a closure of the app would run off its actor. It is called exactly
    ///     once and never before this method returns, on a system queue, with a token or a ``TokenProviderError``.
    public func fetchToken(
        vehicleID: String?,
        taskID: String?,
        role: DriverRole,
        completion: @escaping (String?, (any Error)?) -> Void
    ) {
        deliver(SDKScope(role.kind, vehicleID, taskID: taskID), to: Self.sendable(completion))
    }

    /// Drops a rider's token after the Consumer SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    ///
    /// It drops the token that the SDK received last. Further reports of that token don't drop its successor: reports
    /// within five seconds after the SDK received the successor are attributed to the old token. If you have the token
    /// itself, ``TokenProviding/invalidate(_:)`` is exact.
    public func invalidateToken(tripID: String) {
        invalidateToken(for: SDKScope(.consumer, tripID))
    }

    /// Drops a driver's token after the Driver SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    ///
    /// As with ``invalidateToken(tripID:)``, late reports of a token don't drop its successor.
    public func invalidateToken(vehicleID: String, taskID: String?, role: DriverRole) {
        invalidateToken(for: SDKScope(role.kind, vehicleID, taskID: taskID))
    }

    func invalidateToken(for scope: SDKScope) {
        guard let scope = try? scope.get(), let provider = provider() else { return }
        switch deliveredTokens(of: provider).report(scope) {
        case .rejected(let token): provider.invalidate(token)
        case .late: break
        case .unknown:
            guard let token = (provider as? CachingTokenProvider)?.cachedToken(for: scope) else { break }
            provider.invalidate(token)
        }
    }

    /// Delivers a token of a scope, whose ID is checked on the queue as well: the SDK's caller doesn't wait for it.
    func deliver(_ scope: SDKScope, to completion: @escaping Completion) {
        Self.queue.async { [self] in
            do throws(TokenProviderError) {
                let scope = try scope.get()
                guard let provider = provider() else {
                    deliveredTokens.removeAll()
                    throw TokenProviderError.signedOut
                }
                let deliveredTokens = deliveredTokens(of: provider)
                let generation = deliveredTokens.generation
                if let token = (provider as? CachingTokenProvider)?.cache.usableValue(for: scope) {
                    deliveredTokens.note(token, generation)
                    return completion(token.revealText(), nil)
                }
                Task.detached(priority: .userInitiated) {
                    do {
                        let token = try await provider.token(for: scope)
                        deliveredTokens.note(token, generation)
                        completion(token.revealText(), nil)
                    } catch {
                        completion(nil, TokenProviderError(source: error))
                    }
                }
            } catch {
                completion(nil, error)
            }
        }
    }

    /// Returns a completion handler of the SDKs as one that any thread may call.
    private static func sendable(_ completion: @escaping (String?, (any Error)?) -> Void) -> Completion {
        // Safe: the SDKs' references require that the completion handler be called asynchronously and allow any queue. Its
        // type, an Objective-C block, cannot express that.
        nonisolated(unsafe) let completion = completion
        return { completion($0, $1) }
    }

    /// The tokens that the SDKs received are kept, and removed, with a provider's own tokens.
    private func deliveredTokens(of provider: any TokenProviding) -> DeliveredTokens {
        (provider as? CachingTokenProvider)?.deliveredTokens ?? deliveredTokens
    }
}

extension TokenProviderError {
    /// No user is signed in.
    static let signedOut = Self(.unauthenticated, "No user is signed in. Sign in, then request the token again.")
}

/// The scope that an SDK's context describes, not yet checked.
struct SDKScope: Sendable {
    private let kind: TokenKind
    private let id: String?
    private let taskID: String?

    init(_ kind: TokenKind, _ id: String?, taskID: String? = nil) {
        self.kind = kind
        self.id = id
        self.taskID = taskID
    }

    /// Returns the scope.
    ///
    /// - Throws: ``TokenProviderError`` with code ``TokenErrorCode/invalidContext``.
    func get() throws(TokenProviderError) -> TokenScope {
        guard let id else {
            throw TokenProviderError(
                .invalidContext,
                "The SDK requested a token without a context. Update the SDK, or report the problem."
            )
        }
        let taskIDs = kind == .trustedDeliveryDriver ? taskID.map { [$0] } ?? [] : []
        do {
            return try TokenScope(kind: kind, id: id, taskIDs: taskIDs)
        } catch {
            throw TokenProviderError(.invalidContext, error.message)
        }
    }
}
