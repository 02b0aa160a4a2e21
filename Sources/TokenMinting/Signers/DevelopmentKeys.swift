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

    /// Creates the folder, whose keys must not be committed, if it does not exist.
    ///
    /// - Throws: ``OperatorError`` when it cannot be created.
    package func prepare() throws {
        guard !FileManager.default.fileExists(atPath: directory) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw OperatorError(
                "Cannot create the folder \(directory) for development keys. Use --keys with a writable folder."
            )
        }
        _ = try KeyFile.create("\(directory)/.gitignore", Array("*\n".utf8))
    }

    /// The address of a kind's account.
    package static func email(of kind: TokenKind) -> String { "\(name(for: kind))@development.invalid" }

    /// Returns whether the key of a kind was created before.
    package func hasKey(for kind: TokenKind) -> Bool {
        FileManager.default.fileExists(atPath: path(for: kind))
    }

    private func path(for kind: TokenKind) -> String { "\(directory)/\(Self.name(for: kind)).json" }

    /// Returns the account for a kind, read from its file or newly created, which takes a few tenths of a second.
    ///
    /// - Throws: ``OperatorError`` when the file cannot be read or written, or holds something else.
    package func account(for kind: TokenKind) throws -> ServiceAccount {
        let path = path(for: kind)
        if !hasKey(for: kind) { try create(for: kind, at: path) }
        let json = try KeyFile.read(path)
        do {
            return try ServiceAccount(json: json)
        } catch {
            throw OperatorError("\(path): \(error) Delete the file to create a new key.")
        }
    }

    /// Returns the account's name.
    ///
    /// The two kinds for recipients have the same role, so they share an account.
    private static func name(for kind: TokenKind) -> String {
        kind == .deliveryTask ? TokenKind.deliveryConsumer.rawValue : kind.rawValue
    }

    private func create(for kind: TokenKind, at path: String) throws {
        try prepare()
        let key = try RSAPrivateKey.generate()
        let account = try ServiceAccount(email: Self.email(of: kind), keyID: key.publicKey.thumbprint, key: key)
        // Another process may have created it in the meantime; then its key counts.
        _ = try KeyFile.create(path, try account.encoded())
    }
}
