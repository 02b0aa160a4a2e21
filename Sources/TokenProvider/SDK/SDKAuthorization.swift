import ExpiringCache
import FleetToken

/// Implements the authorization object that Google's Consumer and Driver SDKs require, without depending on the SDKs.
///
/// An app's `GMTCAuthorization` or `GMTDAuthorization` forwards the SDK's calls to it; the guide has both to copy. The
/// SDKs keep their authorization object for as long as the process runs, so the provider is determined at each call:
/// return that of the user who is signed in.
public final class SDKAuthorization: Sendable {
    /// The SDK's completion handler, called with a token or an error; it may be called on any queue.
    public typealias Completion = (String?, (any Error)?) -> Void

    private let provider: @Sendable () -> (any TokenProviding)?
    private let handouts: Handouts

    /// Creates an authorization with the tokens of one provider.
    public convenience init(_ provider: any TokenProviding) {
        self.init { provider }
    }

    /// Creates an authorization with the tokens of the current provider at each call.
    ///
    /// - Parameter provider: Returns the provider; nil if no user is signed in, for which the SDK gets
    ///   ``TokenProviderError/Code-swift.struct/unauthenticated``.
    public convenience init(_ provider: @escaping @Sendable () -> (any TokenProviding)?) {
        self.init(clock: .system, provider: provider)
    }

    init(clock: CacheClock, provider: @escaping @Sendable () -> (any TokenProviding)?) {
        self.provider = provider
        // A device follows one or two trips and drives one vehicle.
        handouts = Handouts(capacity: 1_000, clock: clock)
    }

    /// Fetches a rider's token for the Consumer SDK.
    ///
    /// - Parameters:
    ///   - tripID: The `tripID` of the SDK's context; nil if there is no context, which is an error.
    ///   - completion: The SDK's completion handler. It is called exactly once and never before this method returns, on
    ///     a system queue, with a token or a ``TokenProviderError``.
    public func fetchToken(tripID: String?, completion: @escaping Completion) {
        deliver(.consumer, id: tripID, to: completion)
    }

    /// Fetches a driver's token for the Driver SDK.
    ///
    /// - Parameters:
    ///   - vehicleID: The `vehicleID` of the SDK's context; nil if there is no context, which is an error.
    ///   - taskID: The `taskID` of the SDK's context. Only tokens of a trusted delivery driver contain it.
    ///   - fleet: The type of vehicle, which the SDK doesn't specify.
    ///   - completion: The SDK's completion handler. It is called exactly once and never before this method returns, on
    ///     a system queue, with a token or a ``TokenProviderError``.
    public func fetchToken(
        vehicleID: String?,
        taskID: String?,
        fleet: DriverFleet,
        completion: @escaping Completion
    ) {
        deliver(fleet.kind, id: vehicleID, taskID: taskID, to: completion)
    }

    /// Drops a rider's token after the Consumer SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    ///
    /// It drops the token that the SDK received last. Further reports of that token don't drop its successor: reports
    /// within five seconds after the SDK received the successor are attributed to the old token. If you have the token
    /// itself, ``TokenProviding/invalidate(_:)`` is exact.
    public func invalidateToken(tripID: String) {
        invalidate(.consumer, id: tripID)
    }

    /// Drops a driver's token after the Driver SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    ///
    /// As with ``invalidateToken(tripID:)``, late reports of a token don't drop its successor.
    public func invalidateToken(vehicleID: String, taskID: String?, fleet: DriverFleet) {
        invalidate(fleet.kind, id: vehicleID, taskID: taskID)
    }

    private func deliver(_ kind: TokenKind, id: String?, taskID: String? = nil, to completion: @escaping Completion) {
        let completion = SDKCompletion(completion)
        Task.detached(priority: .userInitiated) { [self] in
            do {
                let scope = try Self.scope(kind, id: id, taskID: taskID)
                guard let provider = provider() else { throw TokenProviderError.signedOut }
                let token = try await provider.token(for: scope)
                handouts.note(token)
                completion.call(token.value.revealText(), nil)
            } catch {
                completion.call(nil, TokenProviderError(source: error))
            }
        }
    }

    private func invalidate(_ kind: TokenKind, id: String, taskID: String? = nil) {
        guard let scope = try? Self.scope(kind, id: id, taskID: taskID), let provider = provider() else { return }
        switch handouts.report(scope) {
        case .rejected(let token): provider.invalidate(token)
        case .late: break
        case .unknown: if let token = provider.cachedToken(for: scope) { provider.invalidate(token) }
        }
    }

    private static func scope(_ kind: TokenKind, id: String?, taskID: String?) throws(TokenProviderError) -> TokenScope
    {
        guard let id else {
            throw TokenProviderError(
                .invalidContext,
                "The SDK asked for a token without a context: update it, or report it."
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

/// A completion handler of the SDKs.
//
// Sendable: the SDKs' references require that the completion handler be called asynchronously and allow any queue, so
// it must be safe to pass to another thread. Its type, an Objective-C block, cannot express that.
private struct SDKCompletion: @unchecked Sendable {
    private let completion: SDKAuthorization.Completion

    init(_ completion: @escaping SDKAuthorization.Completion) {
        self.completion = completion
    }

    func call(_ token: String?, _ error: (any Error)?) {
        completion(token, error)
    }
}

extension TokenProviderError {
    /// No user is signed in.
    static let signedOut = Self(.unauthenticated, "No user is signed in: sign in, then ask again.")
}
