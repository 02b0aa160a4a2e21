import FleetToken
import StrictCoding

extension JSONObject {
    /// Returns the claim at a path; all names except the last select an object's member.
    func claim(at path: [String]) -> JSONValue? {
        guard let name = path.first, let value = self[name] else { return nil }
        return path.count == 1 ? value : value.objectValue?.claim(at: Array(path.dropFirst()))
    }

    /// Returns the IDs in a claim: one string, or an array of strings.
    ///
    /// - Returns: nil if the claim is missing or has another type, or if one of its strings is not a valid ID. Such a
    ///   string may be a `*` or contain a `/`, whose meaning this service cannot know.
    func ids(at path: [String], alphabet: ResourceID.Alphabet) -> [ResourceID]? {
        guard let value = claim(at: path) else { return nil }
        let values = value.arrayValue ?? [value]
        let ids = values.compactMap { value in
            value.stringValue.flatMap { try? ResourceID($0, alphabet: alphabet) }
        }
        return ids.count == values.count ? ids : nil
    }
}
