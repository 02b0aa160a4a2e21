/// Something in the configuration that has to change before the service starts.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// The way to the value, such as `grants.driver.ids`.
    package let path: String
    /// The line in the file, from 1; nil where the file has none.
    package let line: Int?
    /// The problem and its solution.
    package let message: String

    /// `line 12: grants.driver.ids: …`.
    package var description: String {
        let place = [line.map { "line \($0)" }, path.isEmpty ? nil : path].compactMap { $0 }
        return (place + [message]).joined(separator: ": ")
    }
}

/// The problems found so far: parsing continues after each, so that the operator sees all problems at once.
package final class ConfigurationProblems {
    package private(set) var list: [ConfigurationProblem] = []
    private var known: Set<ConfigurationProblem> = []
    private var lines: [String: Int] = [:]

    /// Creates an empty list.
    package init() {}

    /// Stores the line of a value, for problems that are found after parsing.
    func note(_ path: String, line: Int?) {
        lines[path] = line
    }

    /// Adds a problem with the value at a path; without a line of its own, it gets the line of the closest parent.
    func report(_ path: String, _ message: String) {
        var place = path[...]
        while lines[String(place)] == nil, let end = place.lastIndex(where: { $0 == "." || $0 == "[" }) {
            place = place[..<end]
        }
        let problem = ConfigurationProblem(path: path, line: lines[String(place)], message: message)
        if known.insert(problem).inserted { list.append(problem) }
    }

    /// Adds a problem with the text as a whole.
    func report(line: Int? = nil, _ message: String) {
        list.append(ConfigurationProblem(path: "", line: line, message: message))
    }
}
