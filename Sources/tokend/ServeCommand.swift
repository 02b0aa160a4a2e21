import ArgumentParser
import Foundation
import Logging
import TokenService

/// Runs the service for real.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve tokens to the callers that the configuration names.",
        discussion: "It doesn't start while anything is wrong with the configuration; `tokend check` says what."
    )

    @OptionGroup
    var options: ConfigurationOptions

    @Option(help: "HOST:PORT where tokens are asked for, instead of the configuration's; or TOKEND_LISTEN.")
    var listen: String?

    @Option(help: "The least level that is logged, instead of the configuration's; or TOKEND_LOG_LEVEL.")
    var logLevel: Logger.Level?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        var mode = try options.read()
        if let listen = listen ?? environment["TOKEND_LISTEN"] { try mode.listen(at: listen) }
        let level = logLevel ?? environment["TOKEND_LOG_LEVEL"].flatMap(Logger.Level.init(rawValue:)) ?? mode.logLevel
        let logger = Logger.service(level: level, isTerminal: isatty(STDERR_FILENO) == 1, environment: environment)
        try await ServiceRunner.run(try mode.service(logger: logger), logger: logger)
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
