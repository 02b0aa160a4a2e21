import ArgumentParser
import Logging

/// How much is logged.
struct LogOptions: ParsableArguments {
    @Option(
        help: "The least level that is logged; or TOKEND_LOG_LEVEL.",
        completion: .list(Logger.Level.allCases.map(\.rawValue))
    )
    var logLevel: String?

    /// The level that the option names, or else the environment.
    ///
    /// - Throws: `ValidationError` when there is no such level.
    func level(_ environment: [String: String]) throws -> Logger.Level? {
        guard let name = logLevel ?? environment["TOKEND_LOG_LEVEL"] else { return nil }
        guard let level = Logger.Level(rawValue: name) else {
            throw ValidationError(
                "The log level is one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        return level
    }
}
