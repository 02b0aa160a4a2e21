import ArgumentParser
import HTTPServer
import Logging
import Telemetry
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

    @OptionGroup
    var log: LogOptions

    func run() async throws {
        ServiceThreads.prepare()
        ServiceRunner.ignoreReloads()
        let environment = ProcessInfo.processInfo.environment
        var mode = try options.read()
        if let listen = listen ?? environment["TOKEND_LISTEN"] { try mode.listen(at: listen) }
        let logger = Logger.service(
            level: try log.level(environment) ?? mode.logLevel,
            isTerminal: StandardStreams.isErrorTerminal,
            environment: environment
        )
        let manager = ServiceManager(environment: environment)
        let service = try await mode.service(logger: logger, environment: environment, manager: manager)
        try await ServiceRunner.run(service, logger: logger)
    }
}
