import FleetToken
import Foundation
import TestSupport

@testable import ServiceSupport
@testable import TokenService

/// A certificate and its key in files.
struct CertificateFiles: Sendable {
    private let folder: TemporaryFolder

    init(_ certificate: TestCertificate) throws {
        folder = try TemporaryFolder()
        try replace(with: certificate)
    }

    var files: TLSFiles { TLSFiles(certificate: path("tls.crt"), key: path("tls.key")) }

    func path(_ name: String) -> String { folder.file(name) }

    func write(_ text: String, to name: String) throws { try folder.write(text.utf8, to: name) }

    func replace(with certificate: TestCertificate) throws {
        try write(certificate.certificatePEM, to: "tls.crt")
        try write(certificate.keyPEM, to: "tls.key")
    }

    func load(now: NumericDate = .now) throws -> ServerCertificate {
        ServerCertificate(try LoadedCertificate(files, at: now.date))
    }

    func reload(_ certificate: ServerCertificate) throws {
        certificate.use(try LoadedCertificate(files, at: .now))
    }
}
