/// Something to change in a configuration, or in a file that it names.
///
/// A part of the service reports a problem with the settings that it knows, such as `certificate`; the part that passed these
/// settings adds their path, such as `service.tls`.
package struct Problem: LoggableError, Hashable {
    /// The path of the setting, such as `grants.driver.ids`; empty for a file as a whole.
    package var setting: String
    /// The file of the setting; nil if it is not known.
    package var file: String?
    /// The line of the setting, from 1; nil if it is not known.
    package var line: Int?
    /// What is wrong, and what to do.
    package let message: String

    package init(_ message: String, setting: String = "", line: Int? = nil) {
        self.message = message
        self.setting = setting
        self.line = line
    }

    /// The problems that an error consists of.
    package static func all(of error: any Error) -> [Problem] {
        (error as? OperatorError)?.problems ?? [Problem(OperatorMessage(error).description)]
    }

    /// Returns the problem with the path of a setting, of which it names a part.
    package func within(_ path: String) -> Problem {
        var problem = self
        problem.setting = setting.isEmpty ? path : "\(path).\(setting)"
        return problem
    }

    /// `tokend.yaml:12: grants.driver.ids: …`, with a location that editors can open.
    package var description: String {
        [location, setting.isEmpty ? nil : setting, message].compactMap(\.self).joined(separator: ": ")
    }

    private var location: String? {
        guard let file else { return line.map { "line \($0)" } }
        return line.map { "\(file):\($0)" } ?? file
    }
}
