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

    func reportUnknown() {
        for (name, entry) in entries where !known.contains(where: { $0.hasSameBytes(as: name) }) {
            let advice =
                Spelling.suggestion(for: name, in: known).map { "Did you mean \($0)?" }
                ?? "Known settings are \(known.joined(separator: ", "))."
            entry.report("is an unknown setting. \(advice)")
        }
    }
}
