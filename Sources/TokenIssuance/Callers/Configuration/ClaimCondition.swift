import ServiceConfiguration
package import StrictCoding

/// A claim that must have a value.
package struct ClaimCondition: Sendable, Hashable {
    /// The claim's name; a dot leads into an object.
    package var path: [String]
    /// The value, compared exactly; in an array it must be an element.
    package var value: JSONValue
}

extension ConfigurationValue {
    /// Claims and the values that they must have.
    func conditions() -> [ClaimCondition] {
        entries().compactMap { name, value in
            let path = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard !path.contains(where: \.isEmpty) else {
                value.report("is not a valid claim name: names are separated by single dots.")
                return nil
            }
            return value.claimValue().map {
                ClaimCondition(path: path.map { String(decoding: $0, as: UTF8.self) }, value: $0)
            }
        }
    }
}
