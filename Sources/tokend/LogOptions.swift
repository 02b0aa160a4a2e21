import ArgumentParser
import Logging
import TokenService

/// The log level.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The minimum log level; or TOKEND_LOG_LEVEL. (default: info)", valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue))
    )
    var logLevel: String?

    /// Returns the level of the option, or else of the environment; nil if neither has one.
    ///
    /// - Throws: `ValidationError` if the level is unknown.
    func level() throws -> Logger.Level? {
        guard let name = logLevel ?? Console.environment["TOKEND_LOG_LEVEL"] else { return nil }
        guard let level = Logger.Level(rawValue: name) else {
            throw ValidationError(
                "The log level must be one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        return level
    }
}
