import NIOCore
import NIOSSL
import ServiceSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TLSConfiguration {
    /// TLS 1.2 and later with a certificate from files.
    ///
    /// - Throws: ``ConfigurationError`` that names the invalid file.
    static func server(_ files: TLSFiles) throws -> TLSConfiguration {
        let chain = try named("certificate", at: files.certificate) { path in
            let pem = try TrustedFile(path).read()
            if holds("PRIVATE KEY", pem) { try requireOrder(files) }
            return try NIOSSLCertificate.fromPEMBytes(pem).map(NIOSSLCertificateSource.certificate)
        }
        let key = try named("key", at: files.key) {
            try NIOSSLPrivateKey(bytes: try TrustedFile($0).read(isPrivate: true), format: .pem)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain,
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = forwardSecretSuites
        // How long to wait for an idle client's close_notify; it delays shutdown.
        configuration.shutdownTimeout = .seconds(1)
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    /// The suites of TLS 1.2 with an ephemeral key exchange and authenticated encryption; TLS 1.3 has no others.
    ///
    /// The library's own list also has suites with CBC or the key exchange of RSA, for clients of old.
    private static let forwardSecretSuites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")

    /// When the certificate expires.
    ///
    /// - Throws: ``ConfigurationError`` that names the file when it has, or is not valid yet.
    func expiry(_ files: TLSFiles, at now: Date) throws(ConfigurationError) -> Date {
        guard case .certificate(let certificate)? = certificateChain.first else {
            throw ConfigurationError("\(files.certificate) contains no certificate.", setting: "certificate")
        }
        let notAfter = Date(timeIntervalSince1970: Double(certificate.notValidAfter))
        guard now < notAfter else {
            throw ConfigurationError(
                "\(files.certificate) expired at \(notAfter.formatted(.iso8601)). Renew the certificate.",
                setting: "certificate"
            )
        }
        let notBefore = Date(timeIntervalSince1970: Double(certificate.notValidBefore))
        guard notBefore <= now else {
            throw ConfigurationError(
                "\(files.certificate) is not valid before \(notBefore.formatted(.iso8601)). Check this machine's clock, or use a certificate that is valid now.",
                setting: "certificate"
            )
        }
        return notAfter
    }

    /// Refuses files whose settings were swapped: the certificate's has a private key, and the key's a certificate only.
    private static func requireOrder(_ files: TLSFiles) throws {
        // Without the checks of a key's file, whose fixes would be for the wrong file.
        guard let pem = try? KeyFile.read(files.key), holds("CERTIFICATE", pem), !holds("PRIVATE KEY", pem) else {
            return
        }
        throw ConfigurationError(
            "\(files.key) has a certificate and \(files.certificate) a private key. Swap service.tls.certificate and service.tls.key."
        )
    }

    /// Returns whether a text has a PEM block whose label ends so.
    private static func holds(_ label: String, _ pem: [UInt8]) -> Bool {
        pem.firstRange(of: Array("\(label)-----".utf8)) != nil
    }

    private static func named<Part>(
        _ setting: String,
        at path: String,
        _ read: (String) throws -> Part
    ) throws -> Part {
        try ConfigurationError.within(setting) {
            do {
                return try read(path)
            } catch let error as any LoggableError {
                throw error
            } catch {
                throw ConfigurationError("\(path) is not a valid PEM file.")
            }
        }
    }
}
