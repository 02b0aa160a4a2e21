public import Foundation

/// A view of a provider for Objective-C, where its name is `FTTokenProvider`.
///
/// An app's own `GMTCAuthorization` or `GMTDAuthorization` forwards the SDK's calls to it. A mixed app creates it from its
/// Swift provider, so that both have one cache.
#if canImport(ObjectiveC)
@objc(FTTokenProvider) @objcMembers
#endif
public final class ObjectiveCTokenProvider: NSObject, Sendable {
    private let provider: FleetTokenProvider

    /// Creates a view of a provider.
    #if canImport(ObjectiveC)
    @nonobjc
    #endif
    public init(_ provider: FleetTokenProvider) {
        self.provider = provider
    }

    /// Creates a provider that requests tokens from a token server like `tokend`.
    ///
    /// An error of the block counts as transient, unless it has the domain `FleetToken.TokenProviderError`: then its code,
    /// such as 1002 for a user who must sign in, says who must act.
    ///
    /// - Parameters:
    ///   - serverURL: The token server's `https` URL.
    ///   - credentials: Calls its second argument once, with the header fields that authenticate the caller; with nil for
    ///     both if no user is signed in. The first argument says whether the token server rejected the last credentials, so
    ///     that they must be renewed.
    public convenience init(
        serverURL: URL,
        credentials: @escaping @Sendable (Bool, @escaping @Sendable ([String: String]?, (any Error)?) -> Void) -> Void
    ) {
        self.init(
            FleetTokenProvider(TokenServer(serverURL)) { request in
                let callback = Callback<[String: String]>()
                return try await callback.value { completion in
                    credentials(request.credentialsWereRejected) { fields, error in
                        completion(fields, error ?? ObjectiveCTokenProvider.signedOut)
                    }
                }
            }
        )
    }

    /// Creates a provider that gets tokens from a block.
    ///
    /// An error of the block counts as transient, unless it has the domain `FleetToken.TokenProviderError`: then its code,
    /// such as 1003 for a denial, says who must act, and `FleetTokenRetryAfter` in its user info how long to pause.
    ///
    /// - Parameter fetch: Fetches a token of a kind, such as `consumer`, with its ID and its task. The fourth argument says
    ///   whether it must be a new one, because Fleet Engine rejected the last. It calls its last argument once, with the token
    ///   and its lifetime in seconds, or 0 for that of the token's claims; or with an error.
    public convenience init(
        fetch:
            @escaping @Sendable (
                String, String?, String?, Bool, @escaping @Sendable (String?, TimeInterval, (any Error)?) -> Void
            ) -> Void
    ) {
        self.init(
            FleetTokenProvider { request in
                let callback = Callback<Token>()
                let scope = request.scope
                return try await callback.value { completion in
                    fetch(scope.kind, scope.id, scope.taskID, request.mustBeNew) { text, lifetime, error in
                        completion(text.map { Token($0, lifetime: lifetime == 0 ? nil : lifetime) }, error)
                    }
                }
            }
        )
    }

    /// Fetches a rider's token for the Consumer SDK.
    ///
    /// - Parameters:
    ///   - tripID: The `tripID` of the SDK's context; nil if there is no context, which is an error.
    ///   - completion: Called exactly once and never before this method returns, on any queue, with a token or an error.
    public func fetchToken(tripID: String?, completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
        deliver(.trip(tripID ?? ""), to: completion)
    }

    /// Fetches a driver's token for the Driver SDK.
    ///
    /// - Parameters:
    ///   - vehicleID: The `vehicleID` of the SDK's context; nil if there is no context, which is an error.
    ///   - taskID: The `taskID` of the SDK's context. Only tokens of a trusted delivery driver contain it.
    ///   - role: The driver's role, which the SDK doesn't specify.
    ///   - completion: Called exactly once and never before this method returns, on any queue, with a token or an error.
    public func fetchToken(
        vehicleID: String?,
        taskID: String?,
        role: DriverRole,
        completion: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        deliver(Self.scope(vehicleID ?? "", taskID, for: role), to: completion)
    }

    /// Drops a rider's token after the Consumer SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    public func invalidateToken(tripID: String) {
        provider.invalidate(.trip(tripID))
    }

    /// Drops a driver's token after the Driver SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    public func invalidateToken(vehicleID: String, taskID: String?, role: DriverRole) {
        provider.invalidate(Self.scope(vehicleID, taskID, for: role))
    }

    /// Ends the pauses that the device caused; call it when the network is back.
    ///
    /// A fetch that began more than a second ago starts again once.
    public func retryNow() {
        provider.retryNow()
    }

    /// Discards everything that belongs to the previous credentials; call it after a user has signed in or changed.
    public func credentialsDidChange() {
        provider.credentialsDidChange()
    }

    /// Removes all tokens; call it at sign-out.
    public func removeAllTokens() {
        provider.removeAll()
    }

    private static let signedOut = TokenProviderError(
        .unauthenticated,
        "No user is signed in. Sign in, then try again."
    )

    private static func scope(_ vehicleID: String, _ taskID: String?, for role: DriverRole) -> TokenScope {
        switch role {
        case .onDemand: .vehicle(vehicleID)
        case .delivery: .deliveryVehicle(vehicleID)
        case .trustedDelivery: .trustedDeliveryVehicle(vehicleID, task: taskID)
        }
    }

    private func deliver(_ scope: TokenScope, to completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
        Task.detached(priority: .userInitiated) { [provider] in
            do {
                completion(try await provider.token(for: scope).text, nil)
            } catch {
                completion(nil, error)
            }
        }
    }
}

/// Waits for a block with a completion handler.
///
/// A second call of the completion handler has no effect. A completion handler that is released without a call is an error;
/// if it is kept and never called, the fetch times out.
private final class Callback<Value: Sendable>: Sendable {
    private let promise = Promise<Value>()

    func value(_ start: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void) async throws -> Value {
        try await promise.value {
            // Only the block may retain the completion handler; otherwise its release could not be detected.
            let reminder = Reminder(promise)
            start { value, error in
                reminder.promise.resolve(value.map { .success($0) } ?? .failure(error ?? Self.noResult))
            }
        }
    }

    private static var noResult: TokenProviderError {
        TokenProviderError(.unavailable, "The completion handler got neither a result nor an error.")
    }

    private final class Reminder: Sendable {
        let promise: Promise<Value>

        init(_ promise: Promise<Value>) {
            self.promise = promise
        }

        deinit {
            let error = TokenProviderError(.unavailable, "The completion handler was never called. Call it once.")
            promise.resolve(.failure(error))
        }
    }
}
