public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Settings for an Objective-C app's token provider; in Objective-C its name is `FTTokenProviderConfiguration`.
#if canImport(ObjectiveC)
@objc(FTTokenProviderConfiguration) @objcMembers
#endif
public final class ObjectiveCConfiguration: NSObject {
    /// The JSON key of the token: `token`.
    public var tokenKey: String
    /// The JSON key of the expiry: `expiresInSeconds`; nil uses the token's claims.
    public var expiryKey: String?
    /// The unit of the expiry: seconds from now.
    public var expiryUnit: TokenResponseFormat.ExpiryUnit
    /// Whether `http` is allowed to hosts other than this device, for development: false.
    public var allowsInsecureHTTP = false
    /// The maximum time for a response, in seconds: 10.
    public var timeout: TimeInterval
    /// The maximum number of cached tokens: 1,000.
    public var capacity: Int
    /// The app's settings for proxies, cellular networks and timeouts; nil for the library's own.
    ///
    /// Redirections to other servers are refused and nothing is stored, whatever the settings say.
    public var sessionConfiguration: URLSessionConfiguration?
    /// Decides whether to trust a server, in addition to the system, for certificate pinning; nil for the system alone.
    public var serverTrust: HTTPTransport.ServerTrust?

    /// Creates the configuration for this project's `tokend`.
    public override convenience init() {
        self.init(.fleetToken)
    }

    private init(_ format: TokenResponseFormat) {
        let standard = CachingTokenProvider.Configuration()
        tokenKey = format.tokenKey
        expiryKey = format.expiryKey
        expiryUnit = format.expiryUnit
        timeout = standard.http.timeout
        capacity = standard.capacity
        super.init()
    }

    /// Returns the format of the Consumer SDK guide: `TRIP_TOKEN_KEY` and `TOKEN_EXPIRATION`, which its Objective-C
    /// sample reads as seconds from now.
    public static func consumerGuide() -> ObjectiveCConfiguration { .init(.consumerGuide(.secondsFromNow)) }
    /// Returns the format of the Driver SDK guide: `VEHICLE_TOKEN_KEY` and `TOKEN_EXPIRATION`.
    public static func driverGuide() -> ObjectiveCConfiguration { .init(.driverGuide()) }
    /// Returns the format of the stub server in Google's on-demand samples.
    public static func onDemandSample() -> ObjectiveCConfiguration { .init(.onDemandSample) }
    /// Returns the format of the backend in Google's last-mile samples.
    public static func lastMileSample() -> ObjectiveCConfiguration { .init(.lastMileSample) }

    var configuration: CachingTokenProvider.Configuration {
        var configuration = CachingTokenProvider.Configuration()
        configuration.capacity = capacity
        configuration.http.timeout = timeout
        configuration.http.allowsInsecureHTTP = allowsInsecureHTTP
        configuration.http.transport = .session(sessionConfiguration ?? .ephemeral, serverTrust: serverTrust)
        configuration.http.format = TokenResponseFormat(
            tokenKey: tokenKey,
            expiryKey: expiryKey,
            expiryUnit: expiryUnit
        )
        return configuration
    }
}
