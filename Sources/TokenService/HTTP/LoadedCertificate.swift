import NIOCore
import NIOSSL
import ServiceSupport
import TokenIssuance

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
    let credential: ExpiringCredential

    /// Creates the certificate by reading the files.
    ///
    /// - Throws: ``OperatorError`` that names the invalid file.
    package init(_ files: TLSFiles, at now: Date) throws {
        let certificates = try Self.read(files.certificate, setting: "certificate") { path in
            let pem = try TrustedFile(path).read()
            if Self.holds("PRIVATE KEY", pem) { try Self.requireOrder(files) }
            return try NIOSSLCertificate.fromPEMBytes(pem)
        }
        let key = try Self.read(files.key, setting: "key") {
            try NIOSSLPrivateKey(bytes: try TrustedFile($0).read(isPrivate: true), format: .pem)
        }
        credential = try Self.credential(certificates, in: files.certificate, at: now)
        do {
            context = try NIOSSLContext(configuration: .server(certificates, key))
        } catch {
            throw OperatorError(
                "\(files.key) and \(files.certificate) do not match: the key belongs to another certificate, or the certificate's key usage does not allow servers.",
                setting: "certificate"
            )
        }
    }

    private static func read<Part>(_ path: String, setting: String, _ part: (String) throws -> Part) throws -> Part {
        try OperatorError.within(setting) {
            do {
                return try part(path)
            } catch let error as any LoggableError {
                throw error
            } catch {
                throw OperatorError("\(path) is not a valid PEM file.")
            }
        }
    }

    /// Refuses files whose settings were swapped: the certificate's has a private key, and the key's a certificate only.
    private static func requireOrder(_ files: TLSFiles) throws {
        // Without the checks of a key's file, whose fixes would be for the wrong file.
        guard let pem = try? KeyFile.read(files.key), holds("CERTIFICATE", pem), !holds("PRIVATE KEY", pem) else {
            return
        }
        throw OperatorError(
            "\(files.key) has a certificate and \(files.certificate) a private key. Swap service.tls.certificate and service.tls.key."
        )
    }

    /// Returns whether a text has a PEM block whose label ends so.
    private static func holds(_ label: String, _ pem: [UInt8]) -> Bool {
        pem.firstRange(of: Array("\(label)-----".utf8)) != nil
    }

    /// Returns the first certificate as a credential that ends, if it is valid now.
    private static func credential(
        _ certificates: [NIOSSLCertificate],
        in path: String,
        at now: Date
    ) throws(OperatorError) -> ExpiringCredential {
        let credentials = ExpiringCredential.all(
            .certificate,
            certificates,
            in: path,
            setting: "service.tls",
            part: "certificate"
        )
        guard let certificate = certificates.first, let credential = credentials.first else {
            throw OperatorError("\(path) contains no certificate.", setting: "certificate")
        }
        let notAfter = Date(timeIntervalSince1970: Double(certificate.notValidAfter))
        let notBefore = Date(timeIntervalSince1970: Double(certificate.notValidBefore))
        guard now < notAfter else {
            throw OperatorError(
                "\(path) expired at \(notAfter.formatted(.iso8601)). Renew the certificate.",
                setting: "certificate"
            )
        }
        guard notBefore <= now else {
            throw OperatorError(
                "\(path) is not valid before \(notBefore.formatted(.iso8601)). Check this machine's clock, or use a certificate that is valid now.",
                setting: "certificate"
            )
        }
        return credential
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
        configuration.cipherSuiteValues = forwardSecretSuites
        // How long to wait for an idle client's close_notify; it delays shutdown.
        configuration.shutdownTimeout = .seconds(1)
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }
}
