import FleetToken
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Swift code sees none of these types on Apple's systems: it has CachingTokenProvider and SDKAuthorization. Elsewhere, where
// there is no Objective-C, only the tests use them.

/// Provides tokens for an Objective-C app and for Google's SDKs; in Objective-C its name is `FTTokenProvider`.
///
/// The app's own `GMTCAuthorization` or `GMTDAuthorization` forwards the SDK's calls to it. It depends on neither SDK.
#if canImport(ObjectiveC)
@objc(FTTokenProvider) @objcMembers @available(swift, obsoleted: 1)
#endif
public final class ObjectiveCTokenProvider: NSObject, Sendable {
    private let provider: CachingTokenProvider
    private let authorization: SDKAuthorization

    /// Creates a provider that requests tokens from a token server.
    ///
    /// - Parameters:
    ///   - serverURL: The token server's `https` URL.
    ///   - configuration: The settings; nil for those of this project's `tokend`.
    ///   - credentials: Calls its second argument once, with the header fields that authenticate the caller; with nil for
    ///     both if no user is signed in. The first argument says whether the token server rejected the last credentials,
    ///     so that they must be renewed.
    public init(
        serverURL: URL,
        configuration: ObjectiveCConfiguration?,
        credentials: @escaping @Sendable (Bool, @escaping @Sendable ([String: String]?, (any Error)?) -> Void) -> Void
    ) {
        provider = CachingTokenProvider(
            server: serverURL,
            configuration: configuration?.configuration ?? CachingTokenProvider.Configuration(),
            credentials: CallbackCredentials.credentials(from: credentials)
        )
        authorization = SDKAuthorization { [provider] in provider }
    }

    /// Fetches the token of a scope, such as that of an SDK's context.
    ///
    /// The completion handler is called on a system queue.
    public func fetchToken(
        scope: ObjectiveCScope,
        completion: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        authorization.deliver(scope.scope) { token, error in
            completion(token, (error as? TokenProviderError)?.nsError ?? error)
        }
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
}

/// The scope of a token; in Objective-C its name is `FTTokenScope`.
///
/// An invalid ID, or none, is an error of the call that fetches the token.
#if canImport(ObjectiveC)
@objc(FTTokenScope) @objcMembers @available(swift, obsoleted: 1)
#endif
public final class ObjectiveCScope: NSObject, Sendable {
    let scope: SDKScope

    private init(_ kind: TokenKind, _ id: String?, taskID: String? = nil) {
        scope = SDKScope(kind, id, taskID: taskID)
    }

    /// Returns the scope of a rider who follows a trip.
    public static func trip(_ tripID: String?) -> ObjectiveCScope { .init(.consumer, tripID) }

    /// Returns the scope of a driver; only that of a trusted delivery driver contains the task.
    public static func vehicle(_ vehicleID: String?, taskID: String?, role: DriverRole) -> ObjectiveCScope {
        .init(role.kind, vehicleID, taskID: taskID)
    }

    /// Returns the scope of a recipient who follows a shipment by its tracking ID.
    public static func tracking(_ trackingID: String?) -> ObjectiveCScope { .init(.deliveryConsumer, trackingID) }

    /// Returns the scope of a recipient who follows a task.
    public static func task(_ taskID: String?) -> ObjectiveCScope { .init(.deliveryTask, taskID) }
}

/// Settings for an Objective-C app's token provider; in Objective-C its name is `FTTokenProviderConfiguration`.
#if canImport(ObjectiveC)
@objc(FTTokenProviderConfiguration) @objcMembers @available(swift, obsoleted: 1)
#endif
public final class ObjectiveCConfiguration: NSObject {
    /// The JSON key of the token: `token`.
    public var tokenKey = TokenResponseFormat.fleetToken.tokenKey
    /// The JSON key of the expiry: `expiresInSeconds`; nil uses the token's claims.
    public var expiryKey = TokenResponseFormat.fleetToken.expiryKey
    /// The unit of the expiry: seconds from now.
    public var expiryUnit = TokenResponseFormat.fleetToken.expiryUnit
    /// Whether `http` is allowed to hosts other than this device, for development: false.
    public var allowsInsecureHTTP = false
    /// The app's settings for proxies, cellular networks and timeouts; nil for the library's own.
    ///
    /// Redirections to other servers are refused and nothing is stored, regardless of this configuration.
    public var sessionConfiguration: URLSessionConfiguration?
    /// Decides whether to trust a server, in addition to the system, for certificate pinning; nil for the system alone.
    public var serverTrust: (@Sendable (URLAuthenticationChallenge) -> Bool)?

    var configuration: CachingTokenProvider.Configuration {
        var configuration = CachingTokenProvider.Configuration()
        configuration.http.allowsInsecureHTTP = allowsInsecureHTTP
        configuration.http.transport = .session(sessionConfiguration, serverTrust: serverTrust)
        configuration.http.format = TokenResponseFormat(
            tokenKey: tokenKey,
            expiryKey: expiryKey,
            expiryUnit: expiryUnit
        )
        return configuration
    }
}
