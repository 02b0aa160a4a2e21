import ArgumentParser
import CProgram
import HTTPServer
import Logging
import ServiceSupport
import ServiceTools
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
        discussion: """
            The service does not start with an invalid configuration; tokend check reports the problems.

            EXAMPLES:
              tokend serve --config tokend.yaml
              TOKEND_CONFIG=tokend.yaml tokend serve --listen 127.0.0.1:8081

            \(ExitStatus.help())
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "HOST:PORT to listen on; or TOKEND_LISTEN. (default: service.listen in the configuration)",
            valueName: "address"
        )
    )
    var listen: String?

    @OptionGroup
    var log: LogOptions

    func run() async throws {
        ServiceThreads.prepare()
        ServiceRunner.ignoreReloads()
        let environment = ProcessInfo.processInfo.environment
        var mode = try ProductionMode(path: options.path(environment))
        if let listen = listen ?? environment["TOKEND_LISTEN"] { try mode.listen(at: listen) }
        let logger = Logger.service(
            level: try log.level(environment) ?? mode.logLevel,
            isTerminal: Console.isErrorTerminal,
            environment: environment
        )
        let manager = ServiceManager(environment: environment)
        let service = try await mode.service(logger: logger, environment: environment, manager: manager)
        try await ServiceRunner.run(service, logger: logger)
    }
}
