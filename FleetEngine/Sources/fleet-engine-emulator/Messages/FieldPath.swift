/// Where a value is in a request.
struct FieldPath: Sendable {
    /// What the body is, such as `trip`; empty for a whole request.
    let root: String
    /// The path as it is sent; empty for the body itself.
    private(set) var text = ""

    init(root: String) {
        self.root = root
    }

    var isRoot: Bool { text.isEmpty }

    /// The path in the spelling of the `.proto` files, from the request on: `trip.pickup_point`.
    var full: String { [root, text.snakeCased].filter { !$0.isEmpty }.joined(separator: ".") }

    func appending(_ name: String) -> Self {
        var path = self
        path.text += (isRoot ? "" : ".") + name
        return path
    }

    func appending(_ index: Int) -> Self {
        var path = self
        path.text += "[\(index)]"
        return path
    }
}
