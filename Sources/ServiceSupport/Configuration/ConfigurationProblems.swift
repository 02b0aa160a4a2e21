/// The problems found so far: reading continues after each, so that the operator sees all problems at once.
package final class ConfigurationProblems {
    package private(set) var list: [Problem] = []
    private var known: Set<Problem> = []
    package private(set) var locations: SettingLocations
    /// The folder against which relative paths are resolved; empty for the working directory.
    private let folder: String
    /// Whether this is a reload: an empty section is valid then, and revokes everything in it.
    let isReload: Bool

    /// Creates an empty list.
    package init(file: String = "", isReload: Bool = false) {
        locations = SettingLocations(file: file.isEmpty ? nil : file)
        folder = Self.folder(of: file)
        self.isReload = isReload
    }

    /// The folder of a file; empty for the working directory.
    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == path.utf8.startIndex ? "/." : String(path[..<slash])
    }

    /// Stores the line of a value, for problems that are found after reading.
    func note(_ setting: String, line: Int) { locations.lines[setting] = line }

    /// Returns a file's path, resolved against the configuration's folder where it is relative.
    func resolve(_ file: String) -> String {
        let isRelative = file.utf8.first != UInt8(ascii: "/")
        return isRelative && !folder.isEmpty ? "\(folder)/\(file)" : file
    }

    /// Adds a problem with the value of a setting; without a line of its own, it gets the line of the closest parent.
    package func report(_ setting: String, _ message: String) {
        let problem = locations.located(Problem(message, setting: setting))
        if known.insert(problem).inserted { list.append(problem) }
    }

    /// Adds a problem with the text as a whole.
    func report(line: Int? = nil, _ message: String) {
        var problem = Problem(message, line: line)
        problem.file = locations.file
        list.append(problem)
    }
}
