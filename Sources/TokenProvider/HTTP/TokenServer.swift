public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A token server: how a token is requested, and how the response is read.
///
/// The defaults are those of this project's `tokend`. For another backend, replace ``request`` and ``decode``:
///
/// ```swift
/// var server = TokenServer(URL(string: "https://backend.example.com")!)
/// server.request = { url, request in
///     var post = URLRequest(url: url.appendingPathComponent("fleetToken"))
///     post.httpMethod = "POST"
///     post.httpBody = try JSONEncoder().encode(["data": ["tripId": request.scope.id]])
///     return post
/// }
/// server.decode = TokenServer.json(token: "result.token", expiry: "result.expiresIn")
/// ```
///
/// With any settings, redirections are not followed, responses are limited to 64 KiB, and nothing is stored.
public struct TokenServer: Sendable {
    /// The server's URL.
    public let url: URL

    /// Creates the request for a token from the server's URL: method, path, query and body.
    ///
    /// The default is `GET <url>/token/<kind>/<id>`, as in all of Google's samples; a trusted driver's task is in the query, as
    /// `taskId`. If the token must be a new one, it has the header field `Fleet-Token-Reuse: no`. The fields of the
    /// provider's `credentials` are added.
    public var request: @Sendable (URL, TokenRequest) throws -> URLRequest = Self.standardRequest

    /// Reads the token in a response with a status of 2xx; ``json(token:expiry:unit:)`` by default.
    ///
    /// Throw an error if the body is not what you expect; unless it is a ``TokenProviderError``, calls get
    /// ``TokenProviderError/Code/unexpectedResponse``.
    public var decode: @Sendable (Data) throws -> Token = Self.json()

    /// The settings for proxies, cellular networks and timeouts; cookies, caches and stored credentials are not used.
    ///
    /// A request may take 10 seconds, or less if the settings say so. An ephemeral configuration replaces a background one.
    public var sessionConfiguration = URLSessionConfiguration.ephemeral

    /// Whether `http` is allowed to hosts other than this device: false.
    ///
    /// Use it during development, for a phone that connects to a computer on the same network. It also requires an exception
    /// in the app's `NSAppTransportSecurity`.
    public var allowsInsecureHTTP = false

    /// Creates a description of a token server with the defaults.
    ///
    /// - Parameter url: The `https` URL, including the base path of its token routes, if they are not at the root.
    public init(_ url: URL) {
        self.url = url
    }

    /// Creates the request of `tokend` and Google's samples.
    @Sendable
    static func standardRequest(_ url: URL, _ request: TokenRequest) throws -> URLRequest {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw URLError(.badURL) }
        guard parts.percentEncodedQuery == nil else {
            throw TokenProviderError(
                .invalidConfiguration,
                "The token server's URL is invalid. It must have no query. To send one, set the server's request."
            )
        }
        let scope = request.scope
        let segments = ["token", scope.kind] + (scope.id.map { [$0] } ?? [])
        var base = parts.percentEncodedPath
        while base.hasSuffix("/") { base.removeLast() }
        parts.percentEncodedPath = base + segments.map { "/" + percentEncoded($0) }.joined()
        parts.percentEncodedQuery = scope.taskID.map { "taskId=" + percentEncoded($0) }
        guard let target = parts.url else { throw URLError(.badURL) }
        var outgoing = URLRequest(url: target)
        if request.mustBeNew { outgoing.setValue("no", forHTTPHeaderField: "Fleet-Token-Reuse") }
        return outgoing
    }

    /// Returns a text in which all bytes but RFC 3986's unreserved characters are percent-encoded.
    private static func percentEncoded(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

// MARK: - Responses

extension TokenServer {
    /// The unit of a token's expiry in a response.
    public enum ExpiryUnit: Sendable {
        /// Seconds from the time of the response.
        case secondsFromNow
        /// Seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
    }

    /// Returns a function that reads a token and its expiry in a JSON object, for ``decode``.
    ///
    /// | server | arguments |
    /// |---|---|
    /// | `tokend` | the defaults |
    /// | the Consumer SDK's guide | `token: "TRIP_TOKEN_KEY", expiry: "TOKEN_EXPIRATION"`, and the unit of your server |
    /// | the Driver SDK's guide | `token: "VEHICLE_TOKEN_KEY", expiry: "TOKEN_EXPIRATION"` |
    /// | the on-demand samples | `token: "jwt", expiry: "expirationTimestamp", unit: .millisecondsSince1970` |
    /// | the last-mile samples | `expiry: "expiration_timestamp_ms", unit: .millisecondsSince1970` |
    /// | a Firebase callable | `token: "result.token", expiry: "result.expiresIn"` |
    ///
    /// A wrong unit is an error of the first response. No number extends a token's life beyond its own `iat` and `exp`.
    ///
    /// - Parameters:
    ///   - tokenKey: The key of the token. A dot separates the keys of nested objects.
    ///   - expiryKey: The key of the expiry, a number or its text; nil uses the token's claims.
    ///   - unit: The unit of the expiry.
    /// - Returns: The function.
    public static func json(
        token tokenKey: String = "token",
        expiry expiryKey: String? = "expiresInSeconds",
        unit: ExpiryUnit = .secondsFromNow
    ) -> @Sendable (Data) throws -> Token {
        { body in
            guard let object = JSON(body), object.isObject else {
                throw unexpected("The response is not a JSON object. Check that the URL is the token server's.")
            }
            var token = Token(object[path: tokenKey]?.text ?? "")
            guard token.isJWT else {
                throw unexpected(
                    "The response has no JWT under \(tokenKey). Set the token's key in the server's decode."
                )
            }
            guard let expiryKey else { return token }
            guard let number = object[path: expiryKey]?.number else {
                throw unexpected(
                    "The response has no number \(expiryKey). Set the expiry's key in the server's decode."
                )
            }
            guard let seconds = unit.plausibleSeconds(number) else {
                throw unexpected("\(expiryKey) is in another unit. Set the unit in the server's decode.")
            }
            if unit == .secondsFromNow {
                token.lifetime.secondsFromNow = seconds
            } else {
                token.lifetime.expiresAt = min(token.lifetime.expiresAt ?? .infinity, seconds)
            }
            return token
        }
    }

    private static func unexpected(_ message: String) -> TokenProviderError { .init(.unexpectedResponse, message) }
}

extension TokenServer.ExpiryUnit {
    /// Returns the number in seconds; nil if it is implausible for this unit.
    ///
    /// Tokens are valid for an hour, so more than a week from now, or a date before 2001 or after 5138, indicates another
    /// unit. Such a number is an error, which shows in the first test of an app, and not a token that is cached for years.
    fileprivate func plausibleSeconds(_ number: Double) -> TimeInterval? {
        switch self {
        case .secondsFromNow: number <= 7 * 86_400 ? number : nil
        case .secondsSince1970: (1e9...1e11).contains(number) ? number : nil
        case .millisecondsSince1970: (1e12...1e14).contains(number) ? number / 1000 : nil
        }
    }
}
