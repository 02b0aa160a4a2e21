/// Where an issuer publishes its keys: an https URL of a host with a name.
///
/// An address in place of a name is refused, in every spelling: certificates have names, and the addresses that are worth
/// tricking a service into asking (a cloud's metadata server, a neighbour) go without.
package struct KeySetURL: Hashable, Sendable {
    /// The URL as it was written.
    package let text: String

    /// Creates the URL of a key set.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - allowsLoopback: Whether `http://127.0.0.1` is taken too, for tests.
    /// - Throws: ``ConfigurationError`` that says what to write instead.
    package init(_ text: String, allowsLoopback: Bool = false) throws(ConfigurationError) {
        self.text = text
        let url: EndpointURL
        do throws(EndpointURL.Problem) {
            url = try EndpointURL(text)
        } catch {
            throw switch error {
            case .notAURL where text.utf8.count > EndpointURL.maximumSize:
                ConfigurationError("The URL of a key set has at most 2048 characters.")
            case .notAURL where !text.utf8.starts(with: "https://".utf8): Self.noHTTPS
            case .notAURL, .userOrFragment: Self.wrongHost
            }
        }
        let hasQuery = text.utf8.contains(UInt8(ascii: "?"))
        if allowsLoopback, url.scheme == "http", url.host == "127.0.0.1", url.port != nil, !hasQuery { return }
        guard url.scheme == "https" else { throw Self.noHTTPS }
        guard url.hasName else { throw Self.wrongHost }
    }

    private static let noHTTPS = ConfigurationError("The URL of a key set begins with https://.")
    private static let wrongHost = ConfigurationError(
        "The URL of a key set has a host's name, and perhaps a port, behind https://: no user, no password, no address."
    )
}
