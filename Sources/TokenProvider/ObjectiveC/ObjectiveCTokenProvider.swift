import FleetToken
public import Foundation

/// Gives an Objective-C app its tokens, and Google's SDKs theirs; in Objective-C its name is `FTTokenProvider`.
///
/// The app's own `GMTCAuthorization` or `GMTDAuthorization` passes the SDK's call on to it. It depends on neither SDK. Swift
/// uses ``CachingTokenProvider``.
#if canImport(ObjectiveC)
@objc(FTTokenProvider) @objcMembers
#endif
public final class ObjectiveCTokenProvider: NSObject, Sendable {
    /// Gives the header fields that say who asks; nil for both when no user is signed in.
    public typealias CredentialsCompletion = @Sendable ([String: String]?, (any Error)?) -> Void
    /// Calls its second argument once, with the header fields that say who asks.
    ///
    /// The first argument says whether the token server rejected the last ones, so that they must be renewed.
    public typealias Credentials = @Sendable (Bool, @escaping CredentialsCompletion) -> Void

    private let provider: CachingTokenProvider
    private let authorization: SDKAuthorization

    /// Creates a provider of tokens from a token server.
    ///
    /// - Parameters:
    ///   - serverURL: The token server's `https` URL.
    ///   - configuration: How the server is asked; nil for this project's `tokend`.
    ///   - credentials: Calls its argument once with the header fields that say who asks.
    public init(
        serverURL: URL,
        configuration: ObjectiveCConfiguration?,
        credentials: @escaping Credentials
    ) {
        provider = CachingTokenProvider(
            server: serverURL,
            configuration: configuration?.configuration ?? CachingTokenProvider.Configuration(),
            credentials: CallbackCredentials.credentials(from: credentials)
        )
        authorization = SDKAuthorization(provider)
    }

    /// Fetches a rider's token: what a `GMTCAuthorization` calls with its context's `tripID`.
    public func fetchToken(tripID: String?, completion: @escaping (String?, (any Error)?) -> Void) {
        authorization.fetchToken(tripID: tripID) { completion($0, $1.map(Self.objectiveC)) }
    }

    /// Fetches a driver's token: what a `GMTDAuthorization` calls with its context's `vehicleID` and `taskID`.
    public func fetchToken(
        vehicleID: String?,
        taskID: String?,
        fleet: DriverFleet,
        completion: @escaping (String?, (any Error)?) -> Void
    ) {
        authorization.fetchToken(vehicleID: vehicleID, taskID: taskID, fleet: fleet) {
            completion($0, $1.map(Self.objectiveC))
        }
    }

    /// Drops a trip's token after the SDK reported `UNAUTHENTICATED` for it.
    public func invalidateToken(tripID: String) {
        authorization.invalidateToken(tripID: tripID)
    }

    /// Drops a vehicle's token after the SDK reported `UNAUTHENTICATED` for it.
    public func invalidateToken(vehicleID: String, taskID: String?, fleet: DriverFleet) {
        authorization.invalidateToken(vehicleID: vehicleID, taskID: taskID, fleet: fleet)
    }

    /// Drops all tokens, as a sign-out must.
    public func removeAllTokens() {
        provider.removeAll()
    }

    private static func objectiveC(_ error: any Error) -> any Error {
        (error as? TokenProviderError).map { $0.nsError } ?? error
    }
}
