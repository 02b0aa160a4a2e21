package import FleetToken
import ServiceSupport

/// A claim that must have a value.
package struct ClaimCondition: Sendable, Hashable {
    /// The claim's name; a dot leads into an object.
    package var path: [String]
    /// The value, compared exactly; in an array it must be an element.
    package var value: JSONValue

    /// Returns the names in a path, which are separated by single dots; nil if one of them is empty.
    ///
    /// A URL is one name, such as those that Auth0 gives to claims of its customers' own.
    static func path(_ text: some Collection<UInt8>) -> [String]? {
        guard text.firstRange(of: "://".utf8) == nil else { return [String(decoding: text, as: UTF8.self)] }
        let names = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return names.contains(where: \.isEmpty) ? nil : names.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns whether claims meet the condition: the claim equals the value, or is a list that contains it.
    func isMet(by claims: JSONObject) -> Bool {
        guard let claim = claims.claim(at: path) else { return false }
        return claim == value || claim.arrayValue?.contains(value) ?? false
    }
}

extension JSONObject {
    /// Returns the claim at a path; all names except the last select an object's member.
    func claim(at path: [String]) -> JSONValue? {
        guard let name = path.first, let value = self[name] else { return nil }
        return path.count == 1 ? value : value.objectValue?.claim(at: Array(path.dropFirst()))
    }
}

extension ConfigurationValue {
    /// Claims and the values that they must have.
    func conditions() -> [ClaimCondition] {
        entries().compactMap { name, value in
            guard let path = ClaimCondition.path(name.utf8) else {
                value.report("is not a valid claim name: names are separated by single dots.")
                return nil
            }
            return value.claimValue().map { ClaimCondition(path: path, value: $0) }
        }
    }
}
