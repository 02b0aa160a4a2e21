#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a webhook is: an https URL, or an http one on this machine.
package struct WebhookURL: Sendable, Hashable {
    /// The URL as it was written.
    package let text: String

    /// Checks a URL.
    ///
    /// - Throws: ``ConfigurationError`` that says what is wrong with it.
    package init(_ text: String) throws(ConfigurationError) {
        // What is no character of a URL is repaired by some parsers, each in its own way.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let url = URL(string: text), let scheme = url.scheme, let host = url.host, !host.isEmpty,
            1...65535 ~= url.port ?? 443
        else { throw ConfigurationError("A webhook's url must be a URL such as https://example.com/authorize.") }
        guard url.user == nil, url.password == nil, url.fragment == nil else {
            throw ConfigurationError("A webhook's url has no user, password or #fragment: requests are signed instead.")
        }
        let isLoopback = ListenAddress(host: host.trimming("[", "]"), port: 0).isLoopback
        guard scheme == "https" || scheme == "http" && isLoopback else {
            throw ConfigurationError("A webhook's url must be https; http is for this machine only.")
        }
        self.text = text
    }
}

extension String {
    fileprivate func trimming(_ prefix: Character, _ suffix: Character) -> String {
        first == prefix && last == suffix ? String(dropFirst().dropLast()) : self
    }
}
