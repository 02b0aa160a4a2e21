import FleetToken

extension Message {
    /// The value of an attribute as filters compare it: all attributes are strings.
    var attributeText: String {
        if has("stringValue") { return text("stringValue") }
        if has("boolValue") { return flag("boolValue") ? "true" : "false" }
        guard let number = number("numberValue") else { return text("value") }
        // A filter names it "10", not "10.0".
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// Returns the value of the attribute that a filter names, `attributes.KEY`; nil if there is none.
    func attribute(_ field: String) -> String? {
        messages("attributes").first { "attributes.\($0.text("key"))".hasSameBytes(as: field) }?.attributeText
    }
}
