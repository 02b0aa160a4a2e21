#if canImport(Darwin)
import Foundation
#endif

/// The name of a resource, `providers/{provider}/{collection}/{id}`, or of a provider alone.
struct ResourceName: Sendable {
    let text: String
    let provider: String
    /// Empty for a provider alone.
    let id: String

    /// Creates a name by parsing it.
    ///
    /// - Parameters:
    ///   - text: The name.
    ///   - collection: The collection that the name must be in; nil for a provider.
    /// - Throws: ``EngineError`` if it has another form or an ID that is not allowed.
    init(_ text: String, in collection: Collection?) throws(EngineError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let form = ["providers", "{provider_id}"] + (collection.map { [$0.rawValue, "{\($0.variable)}"] } ?? [])
        let message = "The name is not of the form \(form.joined(separator: "/"))"
        guard parts.count == form.count, parts[0] == form[0], parts.count == 2 || parts[2] == form[2] else {
            throw EngineError(.resourceNameInvalid, "\(message).")
        }
        self.text = text
        provider = parts[1]
        id = parts.count == 4 ? parts[3] : ""
        if let problem = (collection == nil ? [provider] : [provider, id]).lazy.compactMap(Self.problem).first {
            let field = collection == nil ? "parent" : "name"
            let violation = EngineError.Violation(field: field, description: "has an ID that \(problem)")
            throw EngineError(.resourceNameInvalid, "\(message): an ID \(problem).", violations: [violation])
        }
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

extension String {
    /// The provider in a resource's name.
    var providerID: String {
        let parts = split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count > 1 ? String(parts[1]) : ""
    }

    /// The last part of a resource's name.
    var resourceID: String {
        String(self[(lastIndex(of: "/").map(index(after:)) ?? startIndex)...])
    }
}
