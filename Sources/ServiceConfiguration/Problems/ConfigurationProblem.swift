/// Something in the configuration that has to change before the service starts.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// The way to the value, such as `grants.driver.ids`; empty for the file as a whole.
    package let path: String
    /// The line in the file, from 1; nil where the file has none.
    package let line: Int?
    package let message: String

    package init(path: String, line: Int?, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

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
    private(set) var places = ConfigurationLocations()
    /// The folder against which relative paths are resolved; empty for the working directory.
    private let folder: String
    /// Whether a running service reads the file again: sections that were emptied take all away then.
    let isReload: Bool

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - folder: The folder of the configuration's file; empty for the working directory.
    ///   - isReload: Whether a running service reads the file again.
    package init(folder: String = "", isReload: Bool = false) {
        self.folder = folder
        self.isReload = isReload
    }

    /// Stores the line of a value, for problems that are found after parsing.
    func note(_ path: String, line: Int?) {
        places.note(path, line: line)
    }

    /// Resolves a file's path, and remembers which setting names it.
    func resolve(_ file: String, of setting: String) -> String {
        let isRelative = file.utf8.first != UInt8(ascii: "/")
        let path = isRelative && !folder.isEmpty ? "\(folder)/\(file)" : file
        places.note(setting, file: path)
        return path
    }

    /// Adds a problem with the value at a path; without a line of its own, it gets the line of the closest parent.
    func report(_ path: String, _ message: String) {
        let problem = ConfigurationProblem(path: path, line: places.line(of: path), message: message)
        if known.insert(problem).inserted { list.append(problem) }
    }

    /// Adds a problem with the text as a whole.
    func report(line: Int? = nil, _ message: String) {
        list.append(ConfigurationProblem(path: "", line: line, message: message))
    }
}
