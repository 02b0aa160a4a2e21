import ArgumentParser
import Logging
import ServiceSupport
import TokenService

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
        // Until SIGHUP is trapped, it must not end the process.
        signal(SIGHUP, SIG_IGN)
        let mode = try await ProductionMode.checked(
            path: options.path(),
            listeningAt: listen,
            environment: Console.environment
        )
        let chosen = try log.level()
        let level = LogLevel(chosen ?? mode.configuration.logLevel)
        let service = try await mode.service(
            logger: .service(level: level),
            // An option holds until the end.
            logLevel: chosen == nil ? level : nil,
            environment: Console.environment
        )
        try await ServiceRunner.run(service)
    }
}
