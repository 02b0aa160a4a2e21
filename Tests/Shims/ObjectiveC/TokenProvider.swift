// What the Objective-C part of TokenProvider touches of the rest of it.

import FleetToken
import Foundation

typealias Callback = @Sendable ([String: String]?, (any Error)?) -> Void

/// Stands in for the real one.
public struct CachingTokenProvider: Sendable {
    /// Stands in for the real one.
    public struct Configuration: Sendable {
        struct HTTP: Sendable {
            var allowsInsecureHTTP = false
            var format = TokenResponseFormat.fleetToken
            var transport = HTTPTransport()
        }

        var http = HTTP()
    }

    init(server: URL, configuration: Configuration, credentials: Void) {}
    func remove(_ scope: TokenScope) {}
    func removeAll() {}
    func credentialsDidChange() {}
}

/// Stands in for the real one.
public struct HTTPTransport: Sendable {
    static func session(
        _ settings: URLSessionConfiguration?,
        serverTrust: (@Sendable (URLAuthenticationChallenge) -> Bool)?
    ) -> Self { Self() }
}

enum CallbackCredentials {
    static func credentials(from callback: @escaping @Sendable (Bool, @escaping Callback) -> Void) {}
}

struct SDKAuthorization: Sendable {
    init(_ provider: @escaping @Sendable () -> CachingTokenProvider?) {}
    func deliver(_ scope: SDKScope, to completion: @escaping @Sendable (String?, (any Error)?) -> Void) {}
    func invalidateToken(for scope: SDKScope) {}
}

struct SDKScope: Sendable {
    let kind: TokenKind

    init(_ kind: TokenKind, _ id: String?, taskID: String?) { self.kind = kind }
    func get() throws(TokenProviderError) -> TokenScope { TokenScope(kind: kind) }
}

/// Stands in for the real one.
public struct TokenProviderError: Error {
    var nsError: any Error { self }
}
