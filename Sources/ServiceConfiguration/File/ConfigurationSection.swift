/// A mapping whose keys are known.
///
/// It remembers which were asked for, so that the others can be reported.
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
        return entries.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// A value that must be there.
    package func required(_ name: String) -> ConfigurationValue? {
        guard let found = self[name] else {
            value.report("needs \(name).")
            return nil
        }
        return found
    }

    /// The one of several values that is there, where exactly one must be.
    func oneOf(_ names: [String]) -> (name: String, value: ConfigurationValue)? {
        let found = names.compactMap { name in self[name].map { (name: name, value: $0) } }
        guard found.count == 1, let only = found.first else {
            value.report("needs exactly one of \(names.joined(separator: ", ")).")
            return nil
        }
        return only
    }

    /// Adds a problem with the mapping as a whole.
    package func report(_ message: String) { value.report(message) }

    func reportUnknown() {
        for (name, entry) in entries where !known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
            entry.report("is not known here. Known are \(known.joined(separator: ", ")).")
        }
    }
}
