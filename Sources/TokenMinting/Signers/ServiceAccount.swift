import FleetToken
package import JOSE
package import ServiceSupport

/// A service account that signs: its e-mail address, the ID of its key, and the key.
package struct ServiceAccount: Sendable {
    /// `iss` and `sub` of signed tokens.
    package let email: String
    /// `kid` of signed tokens, by which Google finds the public key.
    package let keyID: String
    package let key: RSAPrivateKey

    /// Creates an account from its parts.
    ///
    /// - Throws: ``OperatorError`` when the address or the key's ID cannot be one.
    package init(email: String, keyID: String, key: RSAPrivateKey) throws(OperatorError) {
        let parts = email.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard email.utf8.count <= 254, email.utf8.allSatisfy(\.isASCIIVisible),
            parts.count == 2, parts.allSatisfy({ !$0.isEmpty })
        else {
            throw OperatorError("The issuer is not the email address of a service account.")
        }
        guard JWSHeader.isValidKeyID(keyID) else {
            throw OperatorError("The key ID is not 1 to 128 visible ASCII characters.")
        }
        self.email = email
        self.keyID = keyID
        self.key = key
    }

    /// Creates an account from a key file as issued by Google's console and `gcloud iam service-accounts keys create`.
    ///
    /// Three fields are read: `client_email`, `private_key_id` and `private_key`. The URLs in it, such as `token_uri`,
    /// are ignored: a file must not choose the servers that the service connects to.
    ///
    /// - Throws: ``OperatorError`` that names the invalid field but never its content.
    package init(json: [UInt8]) throws(OperatorError) {
        let json = json.withoutByteOrderMark
        guard !json.starts(with: "-----BEGIN ".utf8) else {
            throw OperatorError(
                "This is a PEM file, and not a service account's JSON key. Create one with gcloud iam service-accounts keys create."
            )
        }
        let object: JSONObject
        do {
            object = try JSONParser.parseObject(json)
        } catch {
            throw OperatorError("Not a service account's JSON key: \(error).")
        }
        try Self.checkType(object)
        let pem = try Self.field("private_key", in: object)
        let key: RSAPrivateKey
        do {
            key = try RSAPrivateKey(pem: Array(pem.utf8))
        } catch {
            throw OperatorError("private_key: \(error)")
        }
        try self.init(
            email: try Self.field("client_email", in: object),
            keyID: try Self.field("private_key_id", in: object),
            key: key
        )
    }

    /// Names the credentials of Google's that a file has instead of a service account's key.
    private static func checkType(_ object: JSONObject) throws(OperatorError) {
        let found: String? =
            switch object["type"] {
            case .string("service_account"), nil:
                object["installed"] != nil || object["web"] != nil ? "an OAuth client's secret" : nil
            case .string("authorized_user"):
                "a person's credentials (authorized_user), from gcloud auth application-default login"
            case .string("external_account"), .string("external_account_authorized_user"):
                "a configuration of workload identity federation (external_account), which is not supported"
            case .string("impersonated_service_account"):
                "credentials that impersonate a service account (impersonated_service_account), which are not supported"
            case .string: "credentials of another type than service_account"
            // A type that is not a string is ignored.
            default: nil
            }
        guard let found else { return }
        throw OperatorError(
            "This is \(found), and not a service account's JSON key. On Google Cloud, sign with iam and without credentials, as the machine's own account. Elsewhere, create a key with gcloud iam service-accounts keys create."
        )
    }

    private static func field(_ name: String, in object: JSONObject) throws(OperatorError) -> String {
        guard let text = object[name]?.stringValue, !text.utf8.isEmpty else {
            throw OperatorError(
                "\(name) is missing: this is not a service account's JSON key. Create one with gcloud iam service-accounts keys create."
            )
        }
        return text
    }

    /// Returns the key file's JSON, with the three fields that are read: a secret.
    ///
    /// - Throws: ``JOSEError`` when the key cannot be written out.
    package func encoded() throws(JOSEError) -> [UInt8] {
        let pem = try key.pem()
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", "service_account")
            writer.member("client_email", email)
            writer.member("private_key_id", keyID)
            writer.member("private_key", String(decoding: pem, as: UTF8.self))
        }
        return writer.bytes
    }

    package var jwk: JWK { JWK(key.publicKey, keyID: keyID) }
}

extension ServiceAccount: Hashable {
    private var names: [String] { [email, keyID, key.publicKey.thumbprint] }

    /// Equality of the address and the key.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.names == rhs.names }

    /// Feeds the address and the key.
    package func hash(into hasher: inout Hasher) { hasher.combine(names) }
}
