import FleetToken
public import Foundation

/// Provides tokens for an Objective-C app and for Google's SDKs; in Objective-C its name is `FTTokenProvider`.
///
/// The app's own `GMTCAuthorization` or `GMTDAuthorization` forwards the SDK's calls to it. It depends on neither SDK.
/// In Swift, use ``CachingTokenProvider``.
#if canImport(ObjectiveC)
@objc(FTTokenProvider) @objcMembers
#endif
public final class ObjectiveCTokenProvider: NSObject, Sendable {
    /// Receives the header fields that authenticate the caller; nil for both arguments if no user is signed in.
    public typealias CredentialsCompletion = @Sendable ([String: String]?, (any Error)?) -> Void
    /// Calls its second argument once, with the header fields that authenticate the caller.
    ///
    /// The first argument says whether the token server rejected the last credentials, so that they must be renewed.
    public typealias Credentials = @Sendable (Bool, @escaping CredentialsCompletion) -> Void

    private let provider: CachingTokenProvider
    private let authorization: SDKAuthorization

    /// Creates a provider that requests tokens from a token server.
    ///
    /// - Parameters:
    ///   - serverURL: The token server's `https` URL.
    ///   - configuration: The settings; nil for those of this project's `tokend`.
    ///   - credentials: Calls its second argument once with the header fields that authenticate the caller.
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

    /// Fetches a rider's token: call it from a `GMTCAuthorization` with its context's `tripID`.
    public func fetchToken(tripID: String?, completion: @escaping (String?, (any Error)?) -> Void) {
        authorization.fetchToken(tripID: tripID) { completion($0, $1.map(Self.objectiveC)) }
    }

    /// Fetches a driver's token: call it from a `GMTDAuthorization` with its context's `vehicleID` and `taskID`.
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

    /// Drops all tokens; call it at sign-out.
    public func removeAllTokens() {
        provider.removeAll()
    }

    private static func objectiveC(_ error: any Error) -> any Error {
        (error as? TokenProviderError).map { $0.nsError } ?? error
    }
}
