/// A certificate and its key, by file.
package struct TLSFiles: Sendable, Hashable {
    /// The certificate chain, PEM.
    package var certificate: String
    /// The private key, PEM.
    package var key: String
}
