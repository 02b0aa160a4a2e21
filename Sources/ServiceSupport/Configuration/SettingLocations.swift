/// Where the settings of a file are.
package struct SettingLocations: Sendable {
    let file: String?
    /// The line of each setting, by its path.
    var lines: [String: Int] = [:]

    package init(file: String? = nil) {
        self.file = file
    }

    /// Returns a problem with the file and line of its setting; where the file has none, of the closest one that should hold it.
    package func located(_ problem: Problem) -> Problem {
        var path = problem.setting[...]
        while lines[String(path)] == nil, let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) {
            path = path[..<end]
        }
        var problem = problem
        problem.file = file
        problem.line = lines[String(path)]
        return problem
    }
}
