/// A path below `/v1/providers/{provider}`, taken apart.
struct ResourcePath: Sendable {
    let provider: String
    let collection: String
    let id: String?
    /// What follows the colon at the end; empty for none.
    let action: String

    /// The name of what the path names: a resource, or the provider.
    var name: String { "providers/\(provider)" + (id.map { "/\(collection)/\($0)" } ?? "") }

    /// Creates a path from decoded segments.
    ///
    /// - Throws: ``EngineError`` if they have another form.
    init(_ segments: [String]) throws(EngineError) {
        guard (4...5).contains(segments.count), segments[1] == "providers" else {
            throw EngineError(.methodUnknown, "The API has no method with this path.")
        }
        let last = segments[segments.count - 1]
        let colon = last.lastIndex(of: ":")
        let rest = String(last[..<(colon ?? last.endIndex)])
        action = colon.map { String(last[last.index(after: $0)...]) } ?? ""
        provider = segments[2]
        collection = segments.count == 4 ? rest : segments[3]
        id = segments.count == 5 ? rest : nil
    }
}
