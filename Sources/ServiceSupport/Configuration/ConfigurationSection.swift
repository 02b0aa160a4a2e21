import FleetToken

/// A mapping whose keys are known.
///
/// It tracks which keys were read, so that the others can be reported as unknown.
package final class ConfigurationSection {
    private let value: ConfigurationValue
    private let entries: [(name: String, value: ConfigurationValue)]
    private var known: [String] = []

    init(_ value: ConfigurationValue) {
        self.value = value
        entries = value.entries()
    }

    /// A value that need not be there.
    package subscript(name: String) -> ConfigurationValue? {
        known.append(name)
        return entries.first { $0.name.hasSameBytes(as: name) }?.value
    }

    package func required(_ name: String) -> ConfigurationValue? {
        guard let found = self[name] else {
            value.report("requires \(name).")
            return nil
        }
        return found
    }

    /// Returns the one value that is present, if exactly one is required.
    package func oneOf(_ names: [String]) -> (name: String, value: ConfigurationValue)? {
        let found = names.compactMap { name in self[name].map { (name: name, value: $0) } }
        guard found.count == 1, let only = found.first else {
            value.report("requires exactly one of \(names.joined(separator: ", ")).")
            return nil
        }
        return only
    }

    /// Adds a problem with the mapping as a whole.
    package func report(_ message: String) { value.report(message) }

    /// How many names of a mapping are compared with the known ones: each comparison takes as long as some problems.
    private static let maximumSuggestions = 100

    func reportUnknown() {
        var suggestions = 0
        for (name, entry) in entries where !known.contains(where: { $0.hasSameBytes(as: name) }) {
            suggestions += 1
            let meant = suggestions <= Self.maximumSuggestions ? Spelling.suggestion(for: name, in: known) : nil
            let advice =
                meant.map { "Did you mean \($0)?" }
                ?? "Known settings are \(known.joined(separator: ", "))."
            entry.report("is an unknown setting. \(advice)")
        }
    }
}

/// A name in the configuration, equal to another one of the same bytes only.
///
/// Strings are equal under canonical equivalence, such as the Kelvin sign and K.
package struct ConfigurationName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ name: String) {
        description = name
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.description.hasSameBytes(as: other.description)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
    }
}
