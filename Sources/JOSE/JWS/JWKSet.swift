package import FleetToken

/// Keys by their IDs (RFC 7517 section 5).
package struct JWKSet: Equatable, Sendable {
    /// The most bytes a set may have: 256 KiB.
    package static let maximumSize = 256 * 1024
    /// The most keys a set may have.
    package static let maximumCount = 100

    /// The keys in the order in which they were added.
    package private(set) var keys: [JWK] = []

    package init() {}

    package subscript(keyID: String) -> JWK? {
        keys.first { $0.keyID.hasSameBytes(as: keyID) }
    }

    /// Adds a key.
    ///
    /// - Throws: ``JOSEError`` when another key has its ID; the same key again changes nothing.
    package mutating func insert(_ jwk: JWK) throws(JOSEError) {
        if let present = self[jwk.keyID] {
            guard present == jwk else {
                throw .invalidKeySet("two different keys have the same kid")
            }
            return
        }
        keys.append(jwk)
    }

    /// Creates a set by parsing JSON.
    ///
    /// Keys for other uses and of other types are ignored. An invalid RS256 key makes the whole set unusable, because
    /// it was published by mistake.
    ///
    /// - Throws: ``JOSEError`` when it cannot be read, is too large, or names two keys alike.
    package init(parsing json: [UInt8]) throws(JOSEError) {
        for object in try Self.members(of: json) {
            if let jwk = try JWK(parsing: object) { try insert(jwk) }
        }
    }

    /// Reads the keys of a set of any kinds, as JSON.
    ///
    /// - Throws: ``JOSEError`` when the set cannot be read or is too large.
    package static func members(of json: [UInt8]) throws(JOSEError) -> [JSONObject] {
        guard json.count <= maximumSize else { throw .invalidKeySet("it is larger than 256 KiB") }
        let object: JSONObject
        do {
            object = try JSONParser.parseObject(json)
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
