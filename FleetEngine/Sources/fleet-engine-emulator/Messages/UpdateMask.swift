import FleetToken

/// The fields that an update names.
struct UpdateMask: Sendable {
    /// The message that Google's guides have apps look for.
    private static let emptyMessage = "update_mask cannot be empty"

    private let paths: [[String]]

    /// Creates a mask by parsing it: paths in either spelling, separated by commas.
    init(_ text: String) {
        let names = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
        paths = names.map { $0.split(separator: ".", omittingEmptySubsequences: false).map { String($0).camelCased } }
    }

    /// The fields of the message itself, without those inside others.
    var fields: Set<String> { Set(paths.compactMap(\.first)) }

    /// Copies the fields from a message to another; a field that the first does not have is cleared.
    ///
    /// - Throws: ``EngineError`` for an empty mask, an unknown field, or one that only responses have.
    func apply(from source: Message, to target: inout Message, _ table: Table) throws(EngineError) {
        guard !paths.isEmpty else {
            let violation = EngineError.Violation(field: "update_mask", description: "cannot be empty")
            throw EngineError(.maskEmpty, Self.emptyMessage, violations: [violation])
        }
        for path in paths {
            guard Self.isField(path[...], of: table) else {
                let name = path.joined(separator: ".").snakeCased
                throw .refused(by: .maskFieldUnknown, "update_mask", "names \(name), which is not a field")
            }
        }
        if let field = fields.intersection(table.names(.output)).min() {
            throw .refused(by: .maskFieldOutputOnly, "update_mask", "names \(field.snakeCased), which is output only")
        }
        for path in paths { Self.copy(path[...], from: source, to: &target) }
    }

    private static func isField(_ path: ArraySlice<String>, of table: Table) -> Bool {
        guard let name = path.first, let field = table.field(name) else { return false }
        guard path.count > 1 else { return true }
        return switch field.type {
        case .message(let inner): isField(path.dropFirst(), of: inner)
        case .point: isField(path.dropFirst(), of: Tables.latLng)
        default: false
        }
    }

    private static func copy(_ path: ArraySlice<String>, from source: Message, to target: inout Message) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            target[name] = source[name]
            return
        }
        var inner = target.message(name) ?? Message()
        copy(path.dropFirst(), from: source.message(name) ?? Message(), to: &inner)
        target[name] = inner.fields.isEmpty && !source.has(name) ? nil : inner.json
    }
}
