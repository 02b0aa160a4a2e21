// What the Objective-C part of TokenProvider touches of the rest of it.

import Foundation

/// Stands in for the real one.
public struct FleetTokenProvider: Sendable {
    init(_ server: TokenServer, credentials: @escaping @Sendable (TokenRequest) async throws -> [String: String]) {}
    func token(for scope: TokenScope) async throws -> Token { Token("", lifetime: nil) }
    func invalidate(_ scope: TokenScope) {}
    func retryNow() {}
    func credentialsDidChange() {}
    func removeAll() {}
}

struct TokenServer {
    init(_ url: URL) {}
}

struct TokenScope: Sendable {
    let kind = ""
    let id: String? = nil
    let taskID: String? = nil

    static func trip(_ id: String) -> Self { Self() }
    static func vehicle(_ id: String) -> Self { Self() }
    static func deliveryVehicle(_ id: String) -> Self { Self() }
    static func trustedDeliveryVehicle(_ id: String, task: String?) -> Self { Self() }
}

struct TokenRequest: Sendable {
    let scope = TokenScope()
    let mustBeNew = false
    let credentialsWereRejected = false
}

struct Token: Sendable {
    let text = ""

    init(_ text: String, lifetime: TimeInterval?) {}
}

struct TokenProviderError: Error {
    enum Code { case unauthenticated, unavailable }

    static let errorDomain = ""
    let errorCode = 0
    let errorUserInfo: [String: Any] = [:]

    init(_ code: Code, _ message: String) {}
}

final class Promise<Value: Sendable>: Sendable {
    func resolve(_ result: Result<Value, any Error>) {}
    func value(_ start: () -> Void) async throws -> Value { throw TokenProviderError(.unavailable, "") }
}
