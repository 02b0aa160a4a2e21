// What the Objective-C part of TokenProvider touches of the rest of it.

import FleetToken
import Foundation

/// Stands in for the real one.
public struct CachingTokenProvider: Sendable {
    typealias Observer = @Sendable (TokenProviderEvent) -> Void

    /// Stands in for the real one.
    public struct Configuration: Sendable {
        /// Stands in for the real one.
        public struct HTTP: Sendable {
            var timeout: TimeInterval = 0
            var allowsInsecureHTTP = false
            var format = TokenResponseFormat.fleetToken
            var transport = HTTPTransport()
        }

        /// Stands in for the real one.
        public init() {}
        var capacity = 0
        var http = HTTP()
    }

    init(server: URL, configuration: Configuration, observer: Observer?, credentials: Void) {}
    func remove(_ scope: TokenScope) {}
    func removeAll() {}
    func credentialsDidChange() {}
}

/// Stands in for the real one.
public struct HTTPTransport: Sendable {
    /// Stands in for the real one.
    public typealias ServerTrust = @Sendable (URLAuthenticationChallenge) -> Bool

    static func session(_ settings: URLSessionConfiguration, serverTrust: ServerTrust?) -> Self { Self() }
}

enum CallbackCredentials {
    static func credentials(from callback: ObjectiveCTokenProvider.Credentials) {}
}

/// Stands in for the real one.
public struct SDKAuthorization: Sendable {
    /// Stands in for the real one.
    public typealias Completion = @Sendable (String?, (any Error)?) -> Void

    init(_ provider: CachingTokenProvider) {}
    func deliver(_ scope: SDKScope, forcingRefresh: Bool, to completion: @escaping Completion) {}
    func invalidateToken(for scope: SDKScope) {}
}

struct SDKScope: Sendable {
    let kind: TokenKind

    init(_ kind: TokenKind, _ id: String?, taskID: String?) { self.kind = kind }
    func get() throws(TokenProviderError) -> TokenScope { TokenScope(kind: kind) }
}

/// Stands in for the real one.
public struct TokenProviderEvent: Sendable {
    var name = ""
    var scope: TokenScope?
    var reason: String?
    var duration: TimeInterval?
    var error: TokenProviderError?
}

/// Stands in for the real one.
public struct TokenProviderError: Error {
    /// Stands in for the real one.
    public enum Recovery: Sendable { case retry, needsAction }

    static let errorDomain = ""
    static let codeNameKey = ""
    static let needsActionKey = ""
    static let retryAfterKey = ""
    static let httpStatusKey = ""
    static let serverReasonKey = ""
    static let requestIDKey = ""
    var nsError: any Error { self }
}

/// Stands in for the real one.
public struct TokenResponseFormat: Sendable {
    var tokenKey = ""
    var expiryKey: String?
    var expiryUnit = ExpiryUnit.secondsFromNow

    static let fleetToken = Self(tokenKey: "", expiryKey: nil, expiryUnit: .secondsFromNow)
    static let onDemandSample = fleetToken
    static let lastMileSample = fleetToken
    static func consumerGuide(_ unit: ExpiryUnit) -> Self { fleetToken }
    static func driverGuide() -> Self { fleetToken }
}
