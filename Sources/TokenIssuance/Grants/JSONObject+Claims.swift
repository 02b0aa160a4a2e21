import FleetToken
import StrictCoding

extension JSONObject {
    /// The claim at a path; each name but the last leads into an object.
    func claim(at path: [String]) -> JSONValue? {
        guard let name = path.first, let value = self[name] else { return nil }
        return path.count == 1 ? value : value.objectValue?.claim(at: Array(path.dropFirst()))
    }

    /// The IDs that a claim lists: one string, or an array of strings.
    ///
    /// - Returns: nil when the claim is absent or anything else, and when one of its strings is no ID. Such a string may
    ///   be a `*`, or have a `/`, and whoever put it there meant something that this service has no meaning for.
    func ids(at path: [String], alphabet: ResourceID.Alphabet) -> [ResourceID]? {
        guard let value = claim(at: path) else { return nil }
        let values = value.arrayValue ?? [value]
        let ids = values.compactMap { value in
            value.stringValue.flatMap { try? ResourceID($0, alphabet: alphabet) }
        }
        return ids.count == values.count ? ids : nil
    }
}
