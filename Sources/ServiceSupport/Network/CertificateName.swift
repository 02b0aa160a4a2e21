import StrictCoding

/// A name in a certificate's subject alternative name extension, with its type.
///
/// The type is part of the comparison: an authority that is constrained to names of one type must not be able to name
/// a holder of the other. Names are compared as bytes; `Backend.example` is not `backend.example`.
package enum CertificateName: Hashable, Sendable {
    /// A `dNSName`.
    case dns([UInt8])
    /// A `uniformResourceIdentifier`.
    case uri([UInt8])

    /// The name, without its type.
    package var text: String {
        switch self {
        case .dns(let bytes), .uri(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Creates the name that a configuration lists: a URI if it contains a colon, otherwise a DNS name.
    ///
    /// - Returns: nil if the text is neither, contains a wildcard, or is an IP address.
    package init?(configured text: String) {
        let bytes = Array(text.utf8)
        guard AddressRange.bytes(of: text) == nil else { return nil }
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            guard Self.isScheme(bytes[..<colon]), bytes.count > colon + 1,
                bytes.allSatisfy({ $0.isASCIIVisible && $0 != UInt8(ascii: "*") })
            else { return nil }
            self = .uri(bytes)
        } else {
            guard !bytes.isEmpty, bytes.allSatisfy({ $0.isASCIILetterOrDigit || "-._".utf8.contains($0) }) else {
                return nil
            }
            self = .dns(bytes)
        }
    }

    /// Returns whether the text is a URI scheme (RFC 3986 section 3.1).
    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isASCIILetter else { return false }
        return bytes.allSatisfy { $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) }
    }
}

/// A certificate and its key and authorities, by file.
package struct TLSFiles: Sendable, Hashable {
    /// The certificate chain, PEM.
    package var certificate: String
    /// The private key, PEM.
    package var key: String
    /// The authorities for client certificates, PEM; nil if none are requested.
    package var clientAuthorities: String?

    /// Creates the names of a listener's files.
    package init(certificate: String, key: String, clientAuthorities: String? = nil) {
        self.certificate = certificate
        self.key = key
        self.clientAuthorities = clientAuthorities
    }
}

/// The email address of a service account.
package enum ServiceAccountAddress {
    /// Returns whether a text is a Google service account's address: it ends with `.gserviceaccount.com`.
    ///
    /// Such an address has no character with a meaning in a URL but `@`, which a path may have.
    package static func isGoogles(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return text.utf8.count <= 254 && parts.count == 2
            && parts.allSatisfy { part in
                part.allSatisfy { $0.isASCIIDigit || $0.isASCIISmall || "-.".utf8.contains($0) }
            }
            && !parts[0].isEmpty && text.utf8.reversed().starts(with: ".gserviceaccount.com".utf8.reversed())
    }
}
