package import ServiceSupport

/// The URL of an issuer's keys: an https URL with a host name.
///
/// IP addresses are refused in every spelling: certificates have names, and the targets of request forgery (a cloud's
/// metadata server, internal hosts) are usually addressed by IP address.
package struct KeySetURL: Hashable, Sendable {
    /// The URL as it was written.
    package let text: String

    /// The URL of the keys that sign the ID tokens of Firebase's users.
    static let firebase = Self(
        known: "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
    )
    /// The URL of the keys that sign Google's ID tokens.
    static let google = Self(known: "https://www.googleapis.com/oauth2/v3/certs")

    /// Creates a URL that needs no check, since the source code has it.
    init(known text: String) {
        self.text = text
    }

    /// Creates the URL of a key set.
    ///
    /// - Throws: ``OperatorError`` that describes what to change.
    package init(_ text: String) throws(OperatorError) {
        self.text = text
        let url: EndpointURL
        do throws(EndpointURL.Problem) {
            url = try EndpointURL(text)
        } catch {
            throw switch error {
            case .notAURL where text.utf8.count > EndpointURL.maximumSize:
                OperatorError("The key set URL must have at most 2048 characters.")
            case .notAURL where !text.utf8.starts(with: "https://".utf8): Self.noHTTPS
            case .notAURL, .userOrFragment: Self.wrongHost
            }
        }
        guard url.scheme == "https" else { throw Self.noHTTPS }
        guard url.hasName else { throw Self.wrongHost }
    }

    private static let noHTTPS = OperatorError("The key set URL must begin with https://.")
    private static let wrongHost = OperatorError(
        "The key set URL must have a host name and optionally a port: no user, password or IP address."
    )
}

extension KeySetURL {
    /// Creates the URL of an issuer's configuration document (OpenID Connect Discovery 1.0, section 4).
    ///
    /// - Throws: ``OperatorError`` if the issuer is not an https URL with a host name.
    package init(discoveryOf issuer: String) throws(OperatorError) {
        let base = issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
        guard !issuer.utf8.contains(UInt8(ascii: "?")),
            let url = try? Self(base + "/.well-known/openid-configuration")
        else {
            throw OperatorError(
                "requires keysUrl or keysFile: discovery requires an issuer that is an https URL with a host name, such as https://id.example.com."
            )
        }
        self = url
    }
}
