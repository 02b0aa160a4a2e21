import ArgumentParser
import Logging
import TokenService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    @Option(
        help: "The least level that is logged, instead of the configuration's; or TOKEND_LOG_LEVEL.",
        completion: .list(Logger.Level.allCases.map(\.rawValue))
    )
    var logLevel: String?

    func run() async throws {
        ServiceThreads.prepare()
        ServiceRunner.ignoreReloads()
        let environment = ProcessInfo.processInfo.environment
        var mode = try options.read()
        if let listen = listen ?? environment["TOKEND_LISTEN"] { try mode.listen(at: listen) }
        let logger = Logger.service(
            level: try level(environment) ?? mode.logLevel,
            isTerminal: StandardStreams.isErrorTerminal,
            environment: environment
        )
        let manager = ServiceManager(environment: environment)
        let service = try await mode.service(logger: logger, environment: environment, manager: manager)
        try await ServiceRunner.run(service, logger: logger)
    }

    private func level(_ environment: [String: String]) throws -> Logger.Level? {
        guard let name = logLevel ?? environment["TOKEND_LOG_LEVEL"] else { return nil }
        guard let level = Logger.Level(rawValue: name) else {
            throw ValidationError(
                "The log level is one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        return level
    }
}
