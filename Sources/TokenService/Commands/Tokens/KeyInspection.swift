package import FleetToken
package import JOSE
import ServiceSupport
package import TokenMinting

/// The content of a key file.
package struct KeyInspection: Sendable {
    /// The service account whose JSON key it is; nil for PEM.
    package let account: ServiceAccount?
    package let publicKey: RSAPublicKey
    /// Whether the file must be kept from others: it holds a private key.
    package let isSecret: Bool

    /// Creates an inspection of a file's bytes: a service account's JSON key, or any PEM that
    /// ``RSAPublicKey/init(pem:)`` accepts.
    ///
    /// - Throws: ``OperatorError`` or ``JOSEError`` that describes the problem.
    package init(of file: [UInt8]) throws {
        let whiteSpace: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        if file.withoutByteOrderMark.first(where: { !whiteSpace.contains($0) }) == UInt8(ascii: "{") {
            let account = try ServiceAccount(json: file)
            (self.account, publicKey, isSecret) = (account, account.key.publicKey, true)
        } else if Self.isPrivate(file) {
            (account, publicKey, isSecret) = (nil, try RSAPrivateKey(pem: file).publicKey, true)
        } else {
            (account, publicKey, isSecret) = (nil, try RSAPublicKey(pem: file), false)
        }
    }

    /// Returns whether the first PEM block is labelled as a private key; a damaged one must not pass for a public key.
    private static func isPrivate(_ pem: [UInt8]) -> Bool {
        guard let begin = pem.firstRange(of: Array("-----BEGIN ".utf8)) else { return false }
        return pem[begin.upperBound...].prefix(64).firstRange(of: Array("PRIVATE KEY-----".utf8)) != nil
    }

    /// The public key under its ID: the account's, or else its thumbprint.
    package var jwk: JWK { account?.jwk ?? JWK(publicKey) }

    package var title: String {
        guard isSecret else { return "a public key, for verification only" }
        return account == nil ? "a private key, usable for signing" : "a service account's JSON key, usable for signing"
    }

    /// Its public names, a line each.
    package var text: String {
        var rows: [String] = []
        if let account {
            rows += ["Account     \(account.email)", "Key ID      \(account.keyID)"]
        }
        rows += ["Size        RSA, \(publicKey.bits) bits", "Thumbprint  \(publicKey.thumbprint)"]
        return rows.map { "  \($0)\n" }.joined()
    }
}

extension KeyInspection {
    /// The report for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        JSONValue(members: [
            ("schema", .integer(1)),
            ("form", .string(account != nil ? "service-account" : isSecret ? "private-key" : "public-key")),
            ("account", account.map { .string($0.email) } ?? .null),
            ("keyId", account.map { .string($0.keyID) } ?? .null), ("bits", .integer(Int64(publicKey.bits))),
            ("thumbprint", .string(publicKey.thumbprint)),
        ])
    }
}

extension KeyInspection {
    /// Creates an inspection of a file, or with `-` of standard input; errors begin with its path.
    package init(ofFileAt path: String) throws {
        let isFile = path != "-"
        let bytes = isFile ? try KeyFile.read(path) : try Input.read(path, atMost: KeyFile.maximumSize + 1)
        do {
            try self.init(of: bytes)
        } catch {
            throw CommandError(error, in: isFile ? path : "standard input") ?? error
        }
    }
}
