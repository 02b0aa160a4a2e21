package import FleetToken
import JOSE

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keys for trying the service out: one service account a kind, made on first use and the same ever after.
///
/// They are files in the format of Google's own, so that one reader serves both. Google knows none of these accounts.
package struct DevelopmentKeys: Sendable {
    /// The folder that holds them.
    package let directory: String

    /// Keys in a folder; it is made when the first key is.
    package init(directory: String) {
        self.directory = directory
    }

    /// The account for a kind, read from its file or made and written there.
    ///
    /// - Throws: ``MintingError`` when the file cannot be read or written, or holds something else.
    package func account(for kind: TokenKind) throws(MintingError) -> ServiceAccount {
        let name = Self.name(for: kind)
        let path = "\(directory)/\(name).json"
        if !FileManager.default.fileExists(atPath: path) {
            try create(name, at: path)
        }
        do {
            return try ServiceAccount(json: try KeyFile.read(path))
        } catch let error where error.code == .invalidServiceAccount {
            throw MintingError(.invalidServiceAccount, "\(path): \(error) Delete the file to have a new one made.")
        }
    }

    /// The two kinds for recipients are signed for one role, so they share an account.
    private static func name(for kind: TokenKind) -> String {
        kind == .deliveryTask ? TokenKind.deliveryConsumer.rawValue : kind.rawValue
    }

    private func create(_ name: String, at path: String) throws(MintingError) {
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
            throw MintingError(.file, "Cannot make a development key in \(directory): \(Self.reason(error))")
        }
        // Another process may have made it meanwhile; then its key is the one that counts.
        _ = try KeyFile.create(path, bytes)
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as JOSEError: error.description
        case let error as MintingError: error.description
        default: "the folder cannot be made. Name one that can be written with --keys."
        }
    }
}
