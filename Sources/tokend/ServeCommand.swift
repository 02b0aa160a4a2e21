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

/// Runs the service in production.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve tokens to the callers in the configuration.",
        discussion: "Does not start with an invalid configuration; `tokend check` reports the problems."
    )

    @OptionGroup
    var options: ConfigurationOptions

    @Option(help: "HOST:PORT to listen on, instead of service.listen; or TOKEND_LISTEN.")
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
