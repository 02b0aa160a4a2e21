import NIOCore
import NIOSSL
package import ServiceSupport

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A certificate and its key as they were read: valid, and a pair.
package struct LoadedCertificate: Sendable {
    /// The TLS context for connections.
    let context: NIOSSLContext
    /// When the certificate expires.
    let notAfter: Date

    /// Creates the certificate by reading the files.
    ///
    /// - Throws: ``ConfigurationError`` that names the invalid file.
    package init(_ files: TLSFiles, at now: Date) throws {
        let chain = try Self.read(files.certificate, setting: "certificate") { path in
            let pem = try TrustedFile(path).read()
            if Self.holds("PRIVATE KEY", pem) { try Self.requireOrder(files) }
            return try NIOSSLCertificate.fromPEMBytes(pem)
        }
        let key = try Self.read(files.key, setting: "key") {
            try NIOSSLPrivateKey(bytes: try TrustedFile($0).read(isPrivate: true), format: .pem)
        }
        notAfter = try Self.expiry(of: chain.first, files.certificate, at: now)
        do {
            context = try NIOSSLContext(configuration: .server(chain, key))
        } catch {
            throw ConfigurationError(
                "\(files.key) and \(files.certificate) do not match: the key belongs to another certificate, or the certificate's key usage does not allow servers.",
                setting: "certificate"
            )
        }
    }

    private static func read<Part>(_ path: String, setting: String, _ part: (String) throws -> Part) throws -> Part {
        try ConfigurationError.within(setting) {
            do {
                return try part(path)
            } catch let error as any LoggableError {
                throw error
            } catch {
                throw ConfigurationError("\(path) is not a valid PEM file.")
            }
        }
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

    /// Returns when a certificate expires, if it is valid now.
    private static func expiry(
        of certificate: NIOSSLCertificate?,
        _ path: String,
        at now: Date
    ) throws(ConfigurationError) -> Date {
        guard let certificate else {
            throw ConfigurationError("\(path) contains no certificate.", setting: "certificate")
        }
        let notAfter = Date(timeIntervalSince1970: Double(certificate.notValidAfter))
        let notBefore = Date(timeIntervalSince1970: Double(certificate.notValidBefore))
        guard now < notAfter else {
            throw ConfigurationError(
                "\(path) expired at \(notAfter.formatted(.iso8601)). Renew the certificate.",
                setting: "certificate"
            )
        }
        guard notBefore <= now else {
            throw ConfigurationError(
                "\(path) is not valid before \(notBefore.formatted(.iso8601)). Check this machine's clock, or use a certificate that is valid now.",
                setting: "certificate"
            )
        }
        return notAfter
    }
}

extension TLSConfiguration {
    /// TLS 1.2 and later.
    fileprivate static func server(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) -> Self {
        var configuration = makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
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
}
