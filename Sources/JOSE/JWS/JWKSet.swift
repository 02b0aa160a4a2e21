import FleetToken

/// Keys by their IDs (RFC 7517 section 5).
package struct JWKSet: Equatable, Sendable {
    /// A key that cannot be used, and is left out.
    package struct UnusableKey: Hashable, Sendable, CustomStringConvertible {
        /// Its `kid`; nil if it has none, or an invalid one.
        package let keyID: String?
        /// Why, as a sentence without any part of the key.
        package let reason: String

        /// The key and the reason: `Key k1: …`.
        package var description: String { "\(keyID.map { "Key \($0)" } ?? "A key without a valid kid"): \(reason)" }
    }

    /// The most bytes a set may have: 256 KiB.
    package static let maximumSize = 256 * 1024
    /// The most keys a set may have.
    package static let maximumCount = 100

    /// The keys in the order in which they were added.
    package private(set) var keys: [JWK] = []
    /// The keys that should be used and cannot, in the order of the JSON.
    package private(set) var unusable: [UnusableKey] = []
    /// Whether the JSON has a symmetric key, which is never used.
    package private(set) var hasSymmetricKey = false
    /// The number of keys in the JSON that are for other uses and of other types.
    package private(set) var ignoredCount = 0

    package init() {}

    package subscript(keyID: String) -> JWK? {
        keys.first { $0.keyID.hasSameBytes(as: keyID) }
    }

    /// Returns the key that a token without `kid` is signed with: the one for its algorithm, if there is no other (OpenID
    /// Connect Core 1.0 section 10.1).
    package func onlyKey(for algorithm: JWSAlgorithm) -> JWK? {
        let fitting = keys.filter { $0.algorithms.contains(algorithm) }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// Adds a key.
    ///
    /// - Throws: ``JOSEError`` when another key has its ID; the same key again changes nothing.
    package mutating func insert(_ jwk: JWK) throws(JOSEError) {
        if let present = self[jwk.keyID] {
            guard present == jwk else {
                throw .invalidKeySet("two different keys have the same kid, \(jwk.keyID)")
            }
            return
        }
        keys.append(jwk)
    }

    /// Creates a set by parsing JSON.
    ///
    /// Keys for other uses and of other types are ignored, and so are those that cannot be used, with the reason. A private key
    /// makes the whole set unusable, because it was published by mistake.
    ///
    /// - Parameters:
    ///   - json: The set.
    ///   - algorithms: The algorithms that its keys may be used with.
    /// - Throws: ``JOSEError`` when it cannot be read, is too large, has a private key, or has two keys with one `kid`.
    package init(parsing json: [UInt8], for algorithms: [JWSAlgorithm] = [.rs256]) throws(JOSEError) {
        for object in try Self.members(of: json) {
            guard !JWK.isPrivate(object) else {
                throw JOSEError(.invalidKey, "The key set has a private key, which is therefore compromised.")
            }
            if object["kty"] == .string("oct") { hasSymmetricKey = true }
            let jwk: JWK?
            do throws(JOSEError) {
                jwk = try JWK(parsing: object, for: algorithms)
            } catch {
                let keyID = object["kid"]?.stringValue.flatMap { JWSHeader.isValidKeyID($0) ? $0 : nil }
                unusable.append(UnusableKey(keyID: keyID, reason: error.description))
                continue
            }
            if let jwk { try insert(jwk) } else { ignoredCount += 1 }
        }
    }

    /// Reads the keys of a set of any kinds, as JSON.
    private static func members(of json: [UInt8]) throws(JOSEError) -> [JSONObject] {
        guard json.count <= maximumSize else { throw .invalidKeySet("it is larger than 256 KiB") }
        let object: JSONObject
        do {
            object = try JSONParser.parseObject(json.withoutByteOrderMark)
        } catch {
            throw .invalidKeySet("\(error)")
        }
        guard let elements = object["keys"]?.arrayValue else { throw .invalidKeySet("it has no array named keys") }
        guard elements.count <= maximumCount else { throw .invalidKeySet("it has more than 100 keys") }
        var members: [JSONObject] = []
        for element in elements {
            guard let object = element.objectValue else { throw .invalidKeySet("one of its keys is not an object") }
            members.append(object)
        }
        return members
    }

    /// Returns the set's JSON.
    package func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("keys")
            writer.array { writer in
                for jwk in keys { jwk.write(to: &writer) }
            }
        }
        return writer.bytes
    }
}

extension JOSEError {
    /// Creates the error for a key set that cannot be used.
    package static func invalidKeySet(_ reason: String) -> Self {
        Self(.invalidKeySet, "The key set is unusable: \(reason).")
    }
}
