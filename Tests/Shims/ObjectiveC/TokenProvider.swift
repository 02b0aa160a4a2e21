// What the Objective-C part of TokenProvider touches of the rest of it.

import Foundation

/// Stands in for the real one.
public struct CachingTokenProvider: Sendable {
    /// Stands in for the real one.
    public struct Configuration: Sendable {
        /// Stands in for the real one.
        public struct HTTP: Sendable {
            var timeout: TimeInterval = 0
            var allowsInsecureHTTP = false
            var format = TokenResponseFormat.fleetToken
        }

        /// Stands in for the real one.
        public init() {}
        var capacity = 0
        var http = HTTP()
    }

    init(server: URL, configuration: Configuration, credentials: Void) {}
    func removeAll() {}
}

enum CallbackCredentials {
    static func credentials(from callback: ObjectiveCTokenProvider.Credentials) {}
}

struct SDKAuthorization: Sendable {
    init(_ provider: CachingTokenProvider) {}
    func fetchToken(tripID: String?, completion: @escaping (String?, (any Error)?) -> Void) {}
    func fetchToken(
        vehicleID: String?,
        taskID: String?,
        fleet: DriverFleet,
        completion: @escaping (String?, (any Error)?) -> Void
    ) {}
    func invalidateToken(tripID: String) {}
    func invalidateToken(vehicleID: String, taskID: String?, fleet: DriverFleet) {}
}

struct TokenProviderError: Error {
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
    /// Stands in for the real one.
    public enum ExpiryUnit: Sendable { case secondsFromNow, secondsSince1970, millisecondsSince1970 }

    var tokenKey = ""
    var expiryKey: String?
    var expiryUnit = ExpiryUnit.secondsFromNow

    static let fleetToken = Self(tokenKey: "", expiryKey: nil, expiryUnit: .secondsFromNow)
    static let onDemandSample = fleetToken
    static let lastMileSample = fleetToken
    static func consumerGuide(_ unit: ExpiryUnit) -> Self { fleetToken }
    static func driverGuide() -> Self { fleetToken }
}
