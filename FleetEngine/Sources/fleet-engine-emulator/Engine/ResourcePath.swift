/// A path below `/v1/providers/{provider}`, taken apart.
struct ResourcePath: Sendable {
    let provider: String
    let collection: String
    let id: String?
    /// What follows the colon at the end; empty for none.
    let action: String

    /// The name of what the path names: a resource, or the provider.
    var name: String { "providers/\(provider)" + (id.map { "/\(collection)/\($0)" } ?? "") }

    /// Creates a path from a request's target.
    ///
    /// - Throws: ``EngineError`` if it has another form.
    init(_ target: RequestTarget) throws(EngineError) {
        let segments = target.segments
        guard (4...5).contains(segments.count), segments[1] == "providers" else {
            throw EngineError(.methodUnknown, "The API has no method with this path.")
        }
        provider = segments[2]
        collection = segments[3]
        id = segments.count == 5 ? segments[4] : nil
        action = target.action
    }
}
