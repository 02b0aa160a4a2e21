public import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTPTokenSource {
    /// How a token server is asked; the defaults are those of this project's `tokend`.
    public struct Configuration: Sendable {
        /// How to read the answer: as this project's `tokend` writes it.
        public var format = TokenResponseFormat.fleetToken

        /// The path below the server's URL for a scope, as segments that are not encoded yet.
        ///
        /// The default is `token/<kind>`, and the ID where the kind has one: the routes of `tokend` and of all of
        /// Google's samples. A trusted driver's task goes into the query as `taskId`, a batch's tasks into a JSON body.
        public var path: @Sendable (TokenScope) -> [String] = Self.standardPath

        /// How many seconds an answer may take, from the request to the last byte: 10.
        ///
        /// The SDKs' own requests wait for it.
        public var timeout: TimeInterval = 10

        /// How many bytes an answer may have: 65,536.
        ///
        /// A token with the largest batch of tasks has about 8,000.
        public var maximumBodyBytes = 65_536

        /// Whether `http` is allowed to other hosts than this device's own: no.
        ///
        /// For a phone that asks a developer's machine on the same network. It takes an exception in the app's
        /// `NSAppTransportSecurity` too.
        public var allowsInsecureHTTP = false

        /// How requests are sent: by a URL session of the source's own.
        public var transport = HTTPTransport.standard

        /// Creates the configuration of this project's `tokend`.
        public init() {}

        /// Returns the path of `tokend` and of Google's samples.
        public static func standardPath(for scope: TokenScope) -> [String] {
            let segments = ["token", scope.kind.rawValue]
            return scope.kind.isPrivileged ? segments : segments + scope.ids.prefix(1).map(\.rawValue)
        }
    }
}
