import FleetToken
import Foundation
import NIOEmbedded
import NIOSSL
import TestSupport
import Testing

@testable import HTTPServer
@testable import ServiceSupport

/// A certificate is replaced only by one that clients would accept.
struct ServerCertificateTests {
    @Test("The metric has the expiry of the certificate in use")
    func theMetricTellsWhenItExpires() throws {
        let first = try TestCertificate(for: "localhost")
        let files = try CertificateFiles(first)
        let certificate = try files.load()
        #expect(files.expiry == "\(first.certificate.notValidAfter)")
        let second = try TestCertificate(for: "localhost", at: Date().addingTimeInterval(600))
        try files.replace(with: second)
        try files.reload(certificate)
        #expect(files.expiry == "\(second.certificate.notValidAfter)")
    }

    @Test(
        "A certificate that is expired or not yet valid is refused, and the last one stays",
        arguments: [-3600.0, 3600.0]
    )
    func oneThatIsNotValidNowIsRefused(offset: Double) throws {
        let files = try CertificateFiles(try TestCertificate(for: "localhost"))
        let certificate = try files.load()
        let context = ObjectIdentifier(certificate.context(for: EmbeddedChannel()))
        let expiry = files.expiry
        try files.replace(with: try TestCertificate(for: "localhost", at: Date().addingTimeInterval(offset)))
        let problem = #expect(throws: ConfigurationError.self) { try files.reload(certificate) }
        #expect(problem?.description.contains(files.path("tls.crt")) == true)
        #expect(problem?.description.contains(offset < 0 ? "expired at" : "is not valid before") == true)
        #expect(ObjectIdentifier(certificate.context(for: EmbeddedChannel())) == context)
        #expect(files.expiry == expiry)
        #expect(throws: ConfigurationError.self) { try files.load() }
    }

    @Test("A certificate is expired in the second of its end")
    func itsLastSecondIsOver() throws {
        let made = try TestCertificate(for: "localhost")
        let files = try CertificateFiles(made)
        let end = NumericDate(seconds: Int64(made.certificate.notValidAfter))
        #expect(throws: Never.self) { try files.load(now: end - 1) }
        #expect(throws: ConfigurationError.self) { try files.load(now: end) }
    }

    @Test("Files that are incomplete or no pair leave the last certificate in use")
    func filesThatAreWrittenHalfLeaveTheLastOneInUse() throws {
        let files = try CertificateFiles(try TestCertificate(for: "localhost"))
        let certificate = try files.load()
        let context = ObjectIdentifier(certificate.context(for: EmbeddedChannel()))
        let next = try TestCertificate(for: "localhost")
        let half = String(next.certificatePEM.prefix(next.certificatePEM.count / 2))
        for (text, name, hint) in [
            (half, "tls.crt", "tls.crt is not a valid PEM file"), ("", "tls.crt", "tls.crt"),
            (next.certificatePEM, "tls.crt", "do not match"),
            (half, "tls.key", "tls.key has a certificate and no private key"),
        ] {
            try files.write(text, to: name)
            let problem = #expect(throws: (any Error).self) { try files.reload(certificate) }
            #expect(problem.map { "\($0)" }?.contains(hint) == true, "\(name): \(problem.map { "\($0)" } ?? "")")
            #expect(ObjectIdentifier(certificate.context(for: EmbeddedChannel())) == context)
        }
        try FileManager.default.removeItem(atPath: files.path("tls.crt"))
        #expect(throws: (any Error).self) { try files.reload(certificate) }
        try files.replace(with: next)
        try files.reload(certificate)
        #expect(ObjectIdentifier(certificate.context(for: EmbeddedChannel())) != context)
    }
}
