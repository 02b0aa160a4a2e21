import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate made for one test, signed by its own key.
struct TestCertificate {
    let certificate: NIOSSLCertificate
    private let key: NIOSSLPrivateKey
    /// Both as files have them.
    let certificatePEM: String
    let keyPEM: String

    /// A certificate for a name, valid for an hour around a time.
    init(for name: String, at time: Date = Date()) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        let signed = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: time.addingTimeInterval(-1800),
            notValidAfter: time.addingTimeInterval(1800),
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.dnsName(name)])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        certificatePEM = try signed.serializeAsPEM().pemString
        keyPEM = key.pemRepresentation
        certificate = try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem)
        self.key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
    }

    /// A server that shows it.
    func server(
        maximumVersion: TLSVersion? = nil,
        cipherSuites: [NIOTLSCipher]? = nil
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)],
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = maximumVersion
        if let cipherSuites { configuration.cipherSuiteValues = cipherSuites }
        return try NIOSSLContext(configuration: configuration)
    }
}
