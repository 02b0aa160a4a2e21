import NIOSSL
import TokenMinting

extension TLSConfiguration {
    /// TLS 1.2 and later with a certificate from files; clients may show one of their own where authorities are named.
    ///
    /// - Throws: ``ConfigurationError`` that names the file at fault.
    static func server(_ files: TLSFiles) throws -> TLSConfiguration {
        guard try !KeyFile.isReadableByOthers(files.key) else {
            throw ConfigurationError("\(files.key) can be read by others. Run: chmod 600 \(files.key)")
        }
        let chain = try named(files.certificate) {
            try NIOSSLCertificate.fromPEMBytes(try KeyFile.read($0)).map(NIOSSLCertificateSource.certificate)
        }
        let key = try named(files.key) { try NIOSSLPrivateKey(bytes: try KeyFile.read($0), format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain,
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        if let authorities = files.clientAuthorities {
            let roots = try named(authorities) { try NIOSSLCertificate.fromPEMBytes(try KeyFile.read($0)) }
            configuration.trustRoots = .certificates(roots)
            configuration.certificateVerification = .optionalVerification
        }
        do {
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfigurationError(
                "\(files.key) and \(files.certificate) don't go together: the key is that of another certificate, or the certificate's key usage is not a server's."
            )
        }
        return configuration
    }

    private static func named<Part>(_ path: String, _ read: (String) throws -> Part) throws -> Part {
        do {
            return try read(path)
        } catch let error as MintingError {
            throw error
        } catch {
            throw ConfigurationError("\(path) is not the PEM file that it should be.")
        }
    }
}
