/// An enumeration of Fleet Engine's API, with the API's numbers as raw values.
protocol ProtoEnumeration: RawRepresentable<Int> {
    /// The names in JSON, each at the index of its raw value.
    static var protoNames: [String] { get }
}

extension ProtoEnumeration {
    var protoName: String { Self.protoNames[rawValue] }
}
