public import FleetToken
public import Foundation

extension HTTPTokenSource {
    /// Settings for requests to a token server; the defaults match this project's `tokend`.
    public struct Configuration: Sendable {
        /// The format of the response; `tokend`'s by default.
        public var format = TokenResponseFormat.fleetToken

        /// Returns the path below the server's URL for a scope, as segments that are not yet encoded.
        ///
        /// The default is `token/<kind>`, followed by the ID for a kind that has one: the routes of `tokend` and all of
        /// Google's samples. A trusted driver's task is sent in the query as `taskId`, a batch's tasks in a JSON body.
        public var path: @Sendable (TokenScope) -> [String] = Self.standardPath

        /// The maximum time for a response, in seconds, from the request to the last byte: 10.
        ///
        /// The SDKs' own requests wait for it.
        public var timeout: TimeInterval = 10

        /// The maximum size of a response body, in bytes: 65,536.
        ///
        /// A token with the largest batch of tasks has about 8,000 bytes.
        public var maximumBodyBytes = 65_536

        /// Whether `http` is allowed to hosts other than this device: false.
        ///
        /// Use it during development, for a phone that connects to a computer on the same network. It also requires an
        /// exception in the app's `NSAppTransportSecurity`.
        public var allowsInsecureHTTP = false

        /// How requests are sent: through a URL session of the source by default.
        public var transport = HTTPTransport.standard

        /// Creates the configuration for this project's `tokend`.
        public init() {}

        /// Returns the path that `tokend` and Google's samples use.
        public static func standardPath(for scope: TokenScope) -> [String] {
            let segments = ["token", scope.kind.rawValue]
            return scope.kind.isPrivileged ? segments : segments + scope.ids.prefix(1).map(\.rawValue)
        }
    }
}
