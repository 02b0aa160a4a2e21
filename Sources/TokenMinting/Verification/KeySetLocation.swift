#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The location of a key set.
package enum KeySetLocation: Hashable, Sendable {
    case file(String)
    /// At an allowed address: `https`, or `http` on this machine.
    case address(String)

    /// Creates a location from a file path or an address.
    ///
    /// - Throws: ``MintingError`` with code ``MintingError/Code/keySetAddress`` if the address is not allowed.
    package init(_ text: String) throws(MintingError) {
        guard let colon = text.firstRange(of: "://") else {
            self = .file(text)
            return
        }
        guard let url = URL(string: text), let host = url.host(percentEncoded: true), !host.isEmpty else {
            throw Self.refusal("It is not a valid URL with a host.")
        }
        guard url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil else {
            throw Self.refusal("It contains a user name or password, which key sets do not need.")
        }
        switch text[..<colon.lowerBound].lowercased() {
        case "https": break
        case "http":
            guard Self.loopback.contains(host.lowercased()) else {
                throw Self.refusal("Plain http allows the keys to be replaced in transit; use https.")
            }
        default: throw Self.refusal("Use https.")
        }
        self = .address(text)
    }

    private static let loopback = ["localhost", "127.0.0.1", "::1", "[::1]"]

    private static func refusal(_ reason: String) -> MintingError {
        MintingError(.keySetAddress, "The key set cannot be fetched from this address. \(reason)")
    }
}
