import FleetToken
import Foundation
import TestSupport

@testable import ServiceSupport
@testable import TokenService

/// A folder with a certificate and its key, removed in the end.
final class CertificateFiles: Sendable {
    let folder: URL

    init(_ certificate: TestCertificate) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("fleet-token-tls-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try replace(with: certificate)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var files: TLSFiles { TLSFiles(certificate: path("tls.crt"), key: path("tls.key")) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
    }

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
