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
