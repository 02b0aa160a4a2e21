/// An attribute of a resource: a key, and a value of one of three types.
protocol Attribute {
    var key: String { get }
    var typedValue: AttributeValue? { get }
    /// The value as it is stored and compared.
    var text: String { get }
    /// Whether the two fields for a text differ.
    var isContradictory: Bool { get }
}

/// A value of an attribute.
enum AttributeValue {
    case text(String)
    case flag(Bool)
    case number(Double)

    /// The value as it is stored and compared: all attributes are strings.
    var text: String {
        switch self {
        case .text(let text): text
        case .flag(let flag): flag ? "true" : "false"
        // A filter names it "10", not "10.0".
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        }
    }
}

/// An attribute with a second field for its text, `value`.
protocol AttributeWithValue: Attribute {
    var value: String { get set }
    var stringValue: String { get set }
}

extension Attribute {
    var isContradictory: Bool { false }
    var text: String { typedValue?.text ?? "" }
}

extension AttributeWithValue {
    var isContradictory: Bool {
        guard !value.isEmpty, let typedValue else { return false }
        return !typedValue.text.hasSameBytes(as: value)
    }

    var text: String { typedValue?.text ?? value }

    /// The attribute with its value in both fields.
    var normalized: Self {
        var attribute = self
        attribute.value = text
        if typedValue == nil { attribute.stringValue = value }
        return attribute
    }
}

extension Array where Element: Attribute {
    /// Checks attributes: unique keys, and `key:value` of at most 256 characters.
    ///
    /// - Parameters:
    ///   - field: Where the attributes are, for errors.
    ///   - maximum: How many there may be.
    ///   - allowsColon: Whether keys may contain a colon.
    /// - Throws: ``EngineError`` that names the attribute.
    func check(_ field: String, maximum: Int = .max, allowsColon: Bool = false) throws(EngineError) {
        guard count <= maximum else { throw .invalid(field, "has more than \(maximum) elements") }
        var keys: Set<[UInt8]> = []
        for (index, attribute) in enumerated() {
            let path = "\(field)[\(index)]"
            guard !attribute.key.isEmpty, allowsColon || !attribute.key.utf8.contains(UInt8(ascii: ":")) else {
                throw .invalid("\(path).key", "is empty or contains a colon")
            }
            guard keys.insert(Array<UInt8>(attribute.key.utf8)).inserted else {
                throw .invalid("\(path).key", "is not unique")
            }
            guard !attribute.isContradictory else {
                throw .invalid("\(path).string_value", "is not identical to value")
            }
            guard attribute.key.unicodeScalars.count + 1 + attribute.text.unicodeScalars.count <= 256 else {
                throw .invalid(path, "is longer than 256 characters as key:value")
            }
        }
    }
}

extension Array where Element: Attribute {
    /// Returns the value of the attribute that a filter names, `attributes.KEY`; nil if there is none.
    func value(of field: String) -> Filter.Value? {
        first { "attributes.\($0.key)".hasSameBytes(as: field) }.map { .text($0.text) }
    }
}

extension ProtoVehicleAttribute: AttributeWithValue {
    var typedValue: AttributeValue? {
        switch vehicleAttributeValue {
        case .stringValue(let text)?: .text(text)
        case .boolValue(let flag)?: .flag(flag)
        case .numberValue(let number)?: .number(number)
        case nil: nil
        }
    }
}

extension ProtoDeliveryVehicleAttribute: AttributeWithValue {
    var typedValue: AttributeValue? {
        switch deliveryVehicleAttributeValue {
        case .stringValue(let text)?: .text(text)
        case .boolValue(let flag)?: .flag(flag)
        case .numberValue(let number)?: .number(number)
        case nil: nil
        }
    }
}

extension ProtoTripAttribute: Attribute {
    var typedValue: AttributeValue? {
        switch tripAttributeValue {
        case .stringValue(let text)?: .text(text)
        case .boolValue(let flag)?: .flag(flag)
        case .numberValue(let number)?: .number(number)
        case nil: nil
        }
    }
}

extension ProtoTaskAttribute: Attribute {
    var typedValue: AttributeValue? {
        switch taskAttributeValue {
        case .stringValue(let text)?: .text(text)
        case .boolValue(let flag)?: .flag(flag)
        case .numberValue(let number)?: .number(number)
        case nil: nil
        }
    }
}
