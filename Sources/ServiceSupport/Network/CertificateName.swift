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
        guard AddressRange.bytes(of: text) == nil else { return nil }
        // A scheme (RFC 3986 section 3.1) and visible characters but the asterisk.
        let uri = /[A-Za-z][A-Za-z0-9+.\-]*:[!-)+-~]+/.matchingSemantics(.unicodeScalar)
        let dns = /[A-Za-z0-9._\-]+/.matchingSemantics(.unicodeScalar)
        if text.wholeMatch(of: uri) != nil {
            self = .uri(Array(text.utf8))
        } else if text.wholeMatch(of: dns) != nil {
            self = .dns(Array(text.utf8))
        } else {
            return nil
        }
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
        let form = /[0-9a-z.\-]+@[0-9a-z.\-]*\.gserviceaccount\.com/.matchingSemantics(.unicodeScalar)
        return text.utf8.count <= 254 && text.wholeMatch(of: form) != nil
    }
}
