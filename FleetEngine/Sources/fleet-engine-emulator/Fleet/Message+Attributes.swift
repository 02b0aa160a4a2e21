import FleetToken

extension Message {
    /// The value of an attribute as it is stored and compared: all attributes are strings.
    var attributeText: String {
        if has("stringValue") { return text("stringValue") }
        if has("boolValue") { return flag("boolValue") ? "true" : "false" }
        guard let number = number("numberValue") else { return text("value") }
        // A filter names it "10", not "10.0".
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// A vehicle's attribute with its value in both fields.
    var normalizedAttribute: Message {
        var attribute = self
        attribute["value"] = .string(attributeText)
        if !["stringValue", "boolValue", "numberValue"].contains(where: has) {
            attribute["stringValue"] = .string(text("value"))
        }
        return attribute
    }

    /// Checks the attributes of a resource: unique keys, and `key:value` of at most 256 characters.
    ///
    /// - Parameters:
    ///   - field: Where the attributes are, for errors.
    ///   - maximum: How many there may be.
    ///   - allowsColon: Whether keys may contain a colon.
    /// - Throws: ``EngineError`` that names the attribute.
    func checkAttributes(_ field: String, maximum: Int = .max, allowsColon: Bool = false) throws(EngineError) {
        let attributes = messages("attributes")
        guard attributes.count <= maximum else { throw .invalid(field, "has more than \(maximum) elements") }
        var keys: Set<[UInt8]> = []
        for (index, attribute) in attributes.enumerated() {
            let (path, key, text) = ("\(field)[\(index)]", attribute.text("key"), attribute.attributeText)
            guard !key.isEmpty, allowsColon || !key.utf8.contains(UInt8(ascii: ":")) else {
                throw .invalid("\(path).key", "is empty or contains a colon")
            }
            guard keys.insert(Array(key.utf8)).inserted else { throw .invalid("\(path).key", "is not unique") }
            guard !attribute.has("value") || text.hasSameBytes(as: attribute.text("value")) else {
                throw .invalid("\(path).string_value", "is not identical to value")
            }
            guard key.unicodeScalars.count + 1 + text.unicodeScalars.count <= 256 else {
                throw .invalid(path, "is longer than 256 characters as key:value")
            }
        }
    }

    /// Returns the value of the attribute that a filter names, `attributes.KEY`; nil if there is none.
    func attribute(_ field: String) -> String? {
        messages("attributes").first { "attributes.\($0.text("key"))".hasSameBytes(as: field) }?.attributeText
    }
}
