import FleetToken

/// The header of a compact JWS: the three parameters that are used, and none that could change how it is read.
package struct JWSHeader: Sendable {
    /// Parameters by which a token could select its own key or change how it is parsed (RFC 8725 sections 3.1 and 3.10).
    static let forbidden = ["crit", "b64", "zip", "jwk", "jku", "x5u", "x5c"]

    /// The maximum number of JSON values in a header, nested ones included; a dozen parameters are registered.
    static let maximumValues = 64

    /// How long a key ID may be.
    package static let maximumKeyIDLength = 128

    /// The token's `alg`.
    ///
    /// It does not influence verification: the key does.
    package let algorithm: String
    package let type: String?
    /// `kid`: visible ASCII, at most 128 characters.
    package let keyID: String?

    /// `alg`, if it is an algorithm with a public key.
    package var signatureAlgorithm: JWSAlgorithm? {
        JWSAlgorithm.allCases.first { $0.rawValue.hasSameBytes(as: algorithm) }
    }

    /// Creates a header by parsing its JSON.
    ///
    /// - Throws: ``JOSEError`` if it is not a JSON object, repeats a parameter, has a forbidden one, or has no `alg`.
    package init(parsing json: [UInt8]) throws(JOSEError) {
        let object: JSONObject
        do {
            object = try JSONParser.parseObject(json, maximumValues: Self.maximumValues)
        } catch {
            throw JOSEError(.malformedToken, "The token's header is malformed: \(error).")
        }
        for name in Self.forbidden where object[name] != nil {
            throw JOSEError(.forbiddenHeader, "The token's header has \(name), which is never accepted.")
        }
        guard let algorithm = object["alg"]?.stringValue, !algorithm.utf8.isEmpty else {
            throw JOSEError(.malformedToken, "The token's header has no alg.")
        }
        self.algorithm = algorithm
        type = try Self.string("typ", in: object)
        keyID = try Self.string("kid", in: object)
        if let keyID, !Self.isValidKeyID(keyID) {
            throw JOSEError(.malformedToken, "The token's kid is not 1 to 128 visible ASCII characters.")
        }
    }

    private static func string(_ name: String, in object: JSONObject) throws(JOSEError) -> String? {
        guard let value = object[name] else { return nil }
        guard let string = value.stringValue else {
            throw JOSEError(.malformedToken, "The token's \(name) is not a string.")
        }
        return string
    }

    /// Returns whether a text is a valid key ID: 1 to 128 visible ASCII characters.
    package static func isValidKeyID(_ keyID: String) -> Bool {
        (1...maximumKeyIDLength).contains(keyID.utf8.count) && keyID.utf8.allSatisfy { $0.isASCIIVisible }
    }

    /// Returns the JSON of the header for signing with a key: RS256, `typ` JWT.
    package static func encoded(keyID: String) -> [UInt8] {
        var writer = JSONWriter(capacity: 128)
        writer.object { writer in
            writer.member("alg", "RS256")
            writer.member("typ", "JWT")
            writer.member("kid", keyID)
        }
        return writer.bytes
    }
}
