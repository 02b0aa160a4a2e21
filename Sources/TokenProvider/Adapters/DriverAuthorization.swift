#if canImport(GoogleRidesharingDriver)
public import Foundation
public import GoogleRidesharingDriver

/// Gives the Driver SDK its tokens.
///
/// ```swift
/// GMTDDriverContext(
///     accessTokenProvider: DriverAuthorization(tokens, fleet: .delivery), providerID: providerID, vehicleID: vehicleID,
///     navigator: mapView.navigator)
/// ```
#if canImport(ObjectiveC)
@objc(FTDriverAuthorization) @objcMembers
#endif
public final class DriverAuthorization: NSObject, GMTDAuthorization, Sendable {
    /// Where the tokens come from.
    public let provider: CachingTokenProvider
    /// What kind of vehicle the app reports.
    public let fleet: DriverFleet

    /// Passes on a provider's tokens for vehicles of a fleet.
    public init(_ provider: CachingTokenProvider, fleet: DriverFleet) {
        self.provider = provider
        self.fleet = fleet
    }

    /// Called by the SDK, from any queue.
    public func fetchToken(
        with authorizationContext: GMTDAuthorizationContext?,
        completion: @escaping GMTDAuthTokenFetchCompletionHandler
    ) {
        provider.fetchToken(
            vehicleID: authorizationContext?.vehicleID,
            taskID: authorizationContext?.taskID,
            fleet: fleet,
            completion: completion
        )
    }
}

extension DriverAuthorization {
    /// For Objective-C: passes on the tokens of this project's `tokend`.
    ///
    /// - Parameters:
    ///   - serverURL: The token server's `https` URL.
    ///   - fleet: What kind of vehicle the app reports.
    ///   - credentials: Calls its argument once with the header fields that say who asks.
    public convenience init(
        serverURL: URL,
        fleet: DriverFleet,
        credentials: @escaping @Sendable (@escaping CredentialsCompletion) -> Void
    ) {
        let credentials = CallbackCredentials.credentials(from: credentials)
        self.init(CachingTokenProvider(server: serverURL, credentials: credentials), fleet: fleet)
    }

    /// Drops all tokens, as a sign-out must.
    public func removeAllTokens() {
        provider.removeAll()
    }

    /// Drops a vehicle's token after the SDK reported `UNAUTHENTICATED` for it.
    public func invalidateToken(vehicleID: String, taskID: String?) {
        provider.invalidateToken(vehicleID: vehicleID, taskID: taskID, fleet: fleet)
    }
}
#endif
