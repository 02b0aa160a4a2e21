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
    ///   - credentials: Calls its second argument once, with the header fields that authenticate the caller, or with an error;
    ///     with nil for both if no user is signed in. If it passes both, the fields count. A second call has no effect. The first
    ///     argument says whether the token server rejected the last credentials, so that they must be renewed.
    public convenience init(
        serverURL: URL,
        credentials: @escaping @Sendable (Bool, @escaping @Sendable ([String: String]?, (any Error)?) -> Void) -> Void
    ) {
        self.init(
            FleetTokenProvider(TokenServer(serverURL)) { request in
                let fields = Promise<[String: String]>()
                return try await fields.value {
                    credentials(request.credentialsWereRejected) { value, error in
                        let noUser = TokenProviderError(.unauthenticated, "No user is signed in. Sign in first.")
                        fields.resolve(value.map { .success($0) } ?? .failure(error ?? noUser))
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

    /// Fetches the token of a vehicle that transports riders, for the Driver SDK.
    ///
    /// - Parameters:
    ///   - vehicleID: The `vehicleID` of the SDK's context; nil if there is no context, which is an error.
    ///   - completion: Called exactly once and never before this method returns, on any queue, with a token or an error.
    public func fetchToken(vehicleID: String?, completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
        deliver(.vehicle(vehicleID ?? ""), to: completion)
    }

    /// Fetches the token of a delivery vehicle, for the Driver SDK on a device that is not trusted: the usual case.
    ///
    /// - Parameters:
    ///   - deliveryVehicleID: The `vehicleID` of the SDK's context; nil if there is no context, which is an error.
    ///   - completion: Called exactly once and never before this method returns, on any queue, with a token or an error.
    public func fetchToken(
        deliveryVehicleID: String?,
        completion: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        deliver(.deliveryVehicle(deliveryVehicleID ?? ""), to: completion)
    }

    /// Fetches the token of a delivery vehicle, for the Driver SDK on a trusted device.
    ///
    /// - Parameters:
    ///   - trustedDeliveryVehicleID: The `vehicleID` of the SDK's context; nil if there is no context, which is an error.
    ///   - taskID: The `taskID` of the SDK's context, if the token is to be for this task alone.
    ///   - completion: Called exactly once and never before this method returns, on any queue, with a token or an error.
    public func fetchToken(
        trustedDeliveryVehicleID: String?,
        taskID: String?,
        completion: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        deliver(.trustedDeliveryVehicle(trustedDeliveryVehicleID ?? "", task: taskID), to: completion)
    }

    /// Drops a rider's token after the Consumer SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    public func invalidateToken(tripID: String) {
        provider.invalidate(.trip(tripID))
    }

    /// Drops a vehicle's token after the Driver SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    public func invalidateToken(vehicleID: String) {
        provider.invalidate(.vehicle(vehicleID))
    }

    /// Drops a delivery vehicle's token after the Driver SDK reported `UNAUTHENTICATED`.
    public func invalidateToken(deliveryVehicleID: String) {
        provider.invalidate(.deliveryVehicle(deliveryVehicleID))
    }

    /// Drops a trusted driver's token after the Driver SDK reported `UNAUTHENTICATED`.
    public func invalidateToken(trustedDeliveryVehicleID: String, taskID: String?) {
        provider.invalidate(.trustedDeliveryVehicle(trustedDeliveryVehicleID, task: taskID))
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
