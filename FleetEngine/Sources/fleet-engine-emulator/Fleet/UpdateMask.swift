import SwiftProtobuf

/// The fields that an update names.
struct UpdateMask: Sendable {
    /// What Google's guides tell apps to look for.
    static let emptyMessage = "update_mask cannot be empty"

    private let paths: [String]

    /// Creates a mask from a request's; REST's camel case has become the names of the `.proto` files there.
    init(_ mask: Google_Protobuf_FieldMask) {
        paths = mask.paths
    }

    /// The fields of the message itself, without those inside others.
    var fields: Set<String> {
        Set(paths.map(Self.field))
    }

    private static func field(of path: String) -> String { String(path.prefix { $0 != "." }) }

    /// Copies the fields from a message to another; a field that the first does not have is cleared.
    ///
    /// - Parameters:
    ///   - source: The message that was sent.
    ///   - target: The message to change.
    ///   - outputOnly: The fields that only responses have.
    ///   - ignored: The fields whose values are ignored.
    /// - Throws: ``EngineError`` for an empty mask, an unknown field, or one that only responses have.
    func apply<M: Message & Equatable & _ProtoNameProviding>(
        from source: M,
        to target: inout M,
        outputOnly: Set<String>,
        ignored: Set<String> = []
    ) throws(EngineError) {
        guard !paths.isEmpty else {
            throw EngineError(
                .maskEmpty,
                Self.emptyMessage,
                violations: [.init(field: "update_mask", description: "cannot be empty")]
            )
        }
        for path in paths where !M.isPathValid(path) {
            throw .refused(by: .maskFieldUnknown, "update_mask", "names \(path), which is not a field")
        }
        if let field = fields.intersection(outputOnly).min() {
            throw .refused(by: .maskFieldOutputOnly, "update_mask", "names \(field), which is output only")
        }
        let paths = paths.filter { path in !ignored.contains(Self.field(of: path)) }
        guard !paths.isEmpty else { return }
        var options = Google_Protobuf_FieldMask.MergeOptions()
        options.replaceRepeatedFields = true
        let mask = Google_Protobuf_FieldMask(protoPaths: paths)
        do {
            // Merging alone leaves a field as it was where the source has none.
            if try paths.contains(where: { try Self.isAbsent($0, from: source) }) {
                target.trim(keeping: Google_Protobuf_FieldMask(allFieldsOf: M.self).subtract(mask))
            }
            try target.merge(from: source, fieldMask: mask, mergeOption: options)
        } catch {
            throw .refused(by: .maskFieldUnknown, "update_mask", "cannot be applied")
        }
    }

    private static func isAbsent<M: Message & Equatable>(_ path: String, from source: M) throws -> Bool {
        var copy = M()
        try copy.merge(from: source, fieldMask: .init(protoPaths: path))
        return copy == M()
    }
}
