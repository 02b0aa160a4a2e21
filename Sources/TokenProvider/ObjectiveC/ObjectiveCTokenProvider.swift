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
    /// Receives the events of a provider.
    ///
    /// It is called often, and before a caller gets its result, so it must be quick.
    public typealias Observer = @Sendable (ObjectiveCEvent) -> Void

    private let provider: CachingTokenProvider
    private let authorization: SDKAuthorization

    /// Creates a provider that requests tokens from a token server.
    ///
    /// - Parameters:
    ///   - serverURL: The token server's `https` URL.
    ///   - configuration: The settings; nil for those of this project's `tokend`.
    ///   - credentials: Calls its second argument once with the header fields that authenticate the caller.
    public convenience init(
        serverURL: URL,
        configuration: ObjectiveCConfiguration?,
        credentials: @escaping Credentials
    ) {
        self.init(serverURL: serverURL, configuration: configuration, observer: nil, credentials: credentials)
    }

    /// Creates a provider that requests tokens from a token server, with an observer of its events.
    ///
    /// - Parameters:
    ///   - serverURL: The token server's `https` URL.
    ///   - configuration: The settings; nil for those of this project's `tokend`.
    ///   - observer: Receives events, for logs and metrics.
    ///   - credentials: Calls its second argument once with the header fields that authenticate the caller.
    public init(
        serverURL: URL,
        configuration: ObjectiveCConfiguration?,
        observer: Observer?,
        credentials: @escaping Credentials
    ) {
        provider = CachingTokenProvider(
            server: serverURL,
            configuration: configuration?.configuration ?? CachingTokenProvider.Configuration(),
            observer: observer.map { Self.observer($0) },
            credentials: CallbackCredentials.credentials(from: credentials)
        )
        authorization = SDKAuthorization(provider)
    }

    /// Fetches a rider's token: call it from a `GMTCAuthorization` with its context's `tripID`.
    ///
    /// The completion handler is called on a system queue.
    public func fetchToken(tripID: String?, completion: @escaping SDKAuthorization.Completion) {
        fetchToken(scope: .trip(tripID), completion: completion)
    }

    /// Fetches a driver's token: call it from a `GMTDAuthorization` with its context's `vehicleID` and `taskID`.
    ///
    /// The completion handler is called on a system queue.
    public func fetchToken(
        vehicleID: String?,
        taskID: String?,
        role: DriverRole,
        completion: @escaping SDKAuthorization.Completion
    ) {
        fetchToken(scope: .vehicle(vehicleID, taskID: taskID, role: role), completion: completion)
    }

    /// Fetches the token of any scope, such as a recipient's.
    ///
    /// The completion handler is called on a system queue.
    public func fetchToken(scope: ObjectiveCScope, completion: @escaping SDKAuthorization.Completion) {
        fetchToken(scope: scope, forcingRefresh: false, completion: completion)
    }

    /// Fetches the token of a scope, and a new one even if a usable token is cached if `forcingRefresh` is true.
    ///
    /// Pauses after failures still apply. The completion handler is called on a system queue.
    public func fetchToken(
        scope: ObjectiveCScope,
        forcingRefresh: Bool,
        completion: @escaping SDKAuthorization.Completion
    ) {
        let completion: SDKAuthorization.Completion = { completion($0, $1.map(Self.objectiveC)) }
        authorization.deliver(scope.scope, forcingRefresh: forcingRefresh, to: completion)
    }

    /// Drops a trip's token after the SDK reported `UNAUTHENTICATED` for it.
    public func invalidateToken(tripID: String) {
        invalidateToken(scope: .trip(tripID))
    }

    /// Drops a vehicle's token after the SDK reported `UNAUTHENTICATED` for it.
    public func invalidateToken(vehicleID: String, taskID: String?, role: DriverRole) {
        invalidateToken(scope: .vehicle(vehicleID, taskID: taskID, role: role))
    }

    /// Drops the token of a scope after Fleet Engine reported `UNAUTHENTICATED` for it.
    public func invalidateToken(scope: ObjectiveCScope) {
        authorization.invalidateToken(for: scope.scope)
    }

    /// Removes the token of a scope, for example when its trip has ended.
    public func removeToken(scope: ObjectiveCScope) {
        if let scope = try? scope.scope.get() { provider.remove(scope) }
    }

    /// Drops all tokens; call it at sign-out.
    public func removeAllTokens() {
        provider.removeAll()
    }

    /// Discards everything that belongs to the previous credentials; call it after a user has signed in or changed.
    public func credentialsDidChange() {
        provider.credentialsDidChange()
    }

    private static func observer(_ observer: @escaping Observer) -> CachingTokenProvider.Observer {
        { event in observer(ObjectiveCEvent(event)) }
    }

    private static func objectiveC(_ error: any Error) -> any Error {
        (error as? TokenProviderError).map { $0.nsError } ?? error
    }
}
