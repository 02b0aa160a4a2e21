#if canImport(Darwin)
import Foundation
#endif

/// The name of a resource, `providers/{provider}/{collection}/{id}`, or of a provider alone.
struct ResourceName: Sendable {
    let text: String
    let provider: String
    /// Empty for a provider alone.
    let id: String

    /// Creates the name of a resource; without a collection, that of a provider.
    ///
    /// - Throws: ``EngineError`` for an ID that is not allowed.
    init(provider: String, collection: Collection? = nil, id: String = "") throws(EngineError) {
        text = collection?.name(id, of: provider) ?? "providers/\(provider)"
        self.provider = provider
        self.id = id
        guard let problem = Self.problem(provider) ?? (collection == nil ? nil : Self.problem(id)) else { return }
        let field = collection == nil ? "parent" : "name"
        let violation = EngineError.Violation(field: field, description: "has an ID that \(problem)")
        throw EngineError(
            .resourceNameInvalid,
            "\(Self.formProblem(collection)): an ID \(problem).",
            violations: [violation]
        )
    }

    /// Creates a name of a resource by parsing it.
    ///
    /// - Throws: ``EngineError`` if it has another form or an ID that is not allowed.
    init(parsing text: String, in collection: Collection) throws(EngineError) {
        let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 4, parts[0] == "providers", parts[2] == collection.rawValue else {
            throw EngineError(.resourceNameInvalid, "\(Self.formProblem(collection)).")
        }
        try self.init(provider: parts[1], collection: collection, id: parts[3])
    }

    private static func formProblem(_ collection: Collection?) -> String {
        let resource = collection.map { "/\($0.rawValue)/{\($0.variable)}" } ?? ""
        return "The name is not of the form providers/{provider_id}\(resource)"
    }

    /// Checks the ID of a resource that is to be created.
    static func check(_ id: String, _ field: String) throws(EngineError) {
        if let problem = problem(id) { throw .refused(by: .idInvalid, field, problem) }
    }

    /// Returns what is wrong with an ID; nil if it is allowed.
    ///
    /// Google's rule: Unicode in NFC, at most 64 characters, none of `/ : ? , #`. Characters are counted as scalars.
    private static func problem(_ id: String) -> String? {
        if id.utf8.isEmpty { return "is empty" }
        if id.unicodeScalars.count > 64 { return "is longer than 64 characters" }
        if id.utf8.contains(where: { "/:?,#".utf8.contains($0) }) { return "contains one of / : ? , #" }
        return isNormalized(id) ? nil : "is not in Unicode normalization form C"
    }

    private static func isNormalized(_ id: String) -> Bool {
        #if canImport(Darwin)
        // A span needs macOS 26.
        id.precomposedStringWithCanonicalMapping.hasSameBytes(as: id)
        #else
        var span = id.utf8Span
        return span.checkForNFC(quickCheck: false)
        #endif
    }
}

// Names are split at scalars: an ID may begin with a combining mark, which makes one character with the slash before it.
extension String {
    /// The provider in a resource's name.
    var providerID: String {
        let parts = unicodeScalars.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count > 1 ? String(parts[1]) : ""
    }

    /// The last part of a resource's name.
    var resourceID: String {
        unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).last.map { String($0) } ?? ""
    }
}
