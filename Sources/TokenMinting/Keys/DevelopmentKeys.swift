package import FleetToken
import JOSE
import ServiceSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keys for development: one service account per kind, created on first use and stable afterwards.
///
/// They are files in the format of Google's own, so that one reader serves both. Google knows none of these accounts.
package struct DevelopmentKeys: Sendable {
    /// The folder that holds them.
    package let directory: String

    /// Creates the keys of a folder; the folder is created with the first key.
    package init(directory: String) {
        self.directory = directory
    }

    /// Returns the account for a kind, read from its file or newly created.
    ///
    /// - Throws: ``FileError`` when the file cannot be read or written, ``MintingError`` when it holds something else.
    package func account(for kind: TokenKind) throws -> ServiceAccount {
        let name = Self.name(for: kind)
        let path = "\(directory)/\(name).json"
        if !FileManager.default.fileExists(atPath: path) {
            try create(name, at: path)
        }
        do {
            return try ServiceAccount(json: try KeyFile.read(path))
        } catch let error as MintingError where error.code == .invalidServiceAccount {
            throw MintingError(.invalidServiceAccount, "\(path): \(error) Delete the file to create a new key.")
        }
    }

    /// Returns the account's name.
    ///
    /// The two kinds for recipients have the same role, so they share an account.
    private static func name(for kind: TokenKind) -> String {
        kind == .deliveryTask ? TokenKind.deliveryConsumer.rawValue : kind.rawValue
    }

    private func create(_ name: String, at path: String) throws(FileError) {
        let bytes: [UInt8]
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let key = try RSAPrivateKey.generate()
            let account = try ServiceAccount(
                email: "\(name)@development.invalid",
                keyID: key.publicKey.thumbprint,
                key: key
            )
            bytes = try account.encoded()
        } catch {
            throw FileError("Cannot create a development key in \(directory): \(Self.reason(error))")
        }
        // Another process may have created it in the meantime; then its key counts.
        _ = try KeyFile.create(path, bytes)
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as JOSEError: error.description
        case let error as FileError: error.description
        default: "the folder cannot be created. Use --keys with a writable folder."
        }
    }
}
