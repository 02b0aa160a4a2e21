import ArgumentParser
import FleetToken
import Logging
import ServiceSupport
import TokenService

/// Runs the service on a developer's machine.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Serve tokens on this machine, for development.",
        discussion: """
            Every user of this machine can get a token for any valid ID. Keys are created on first use. Google does not know \
            them, so it rejects the tokens unless you use real service accounts. A token is reused for four minutes, as by serve.

            EXAMPLES:
              tokend dev
              tokend dev --port 8081 --service-account driver=driver.json
            """
    )

    @Option(help: ArgumentHelp("The loopback address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port for token requests; 0 selects any free port.", valueName: "port"))
    var port = 8080

    @Option(
        help: ArgumentHelp(
            "The port for health checks and metrics; 0 selects any free port. (default: 9090, or any if it is in use)",
            valueName: "port"
        )
    )
    var adminPort: Int?

    @Option(help: ArgumentHelp("The folder for development keys.", valueName: "folder"), completion: .directory)
    var keys = "keys"

    @Option(
        name: .customLong("service-account"),
        help: ArgumentHelp("The JSON key of a real account for one kind of token; repeatable.", valueName: "kind=file")
    )
    var serviceAccounts: [KindOption] = []

    @OptionGroup
    var log: LogOptions

    func validate() throws {
        guard (0...65535).contains(port), (0...65535).contains(adminPort ?? 0) else {
            throw ValidationError("The port must be from 0 to 65535.")
        }
        guard Set(serviceAccounts.map(\.kind)).count == serviceAccounts.count else {
            throw ValidationError("--service-account is repeated for a kind.")
        }
    }

    /// The default port, which Prometheus has as well; 0 if it is in use.
    private static func freeAdminPort(_ host: String) async -> Int {
        let port = 9090
        guard await ListenAddress(host: host, port: port).problem()?.isInUse != true else {
            Console.note(
                "Port \(port) is in use, so health checks and metrics are on another; --admin-port selects one."
            )
            return 0
        }
        return port
    }

    func run() async throws {
        ServiceThreads.prepare()
        // `??` takes no asynchronous default.
        let admin = if let adminPort { adminPort } else { await Self.freeAdminPort(host) }
        let mode = try DevelopmentMode(
            service: ListenAddress(host: host, port: port),
            admin: ListenAddress(host: host, port: admin),
            keysDirectory: keys,
            serviceAccounts: Dictionary(uniqueKeysWithValues: serviceAccounts.map { ($0.kind, $0.value) }),
            environment: Console.environment
        )
        let level = LogLevel(try log.level() ?? .info)
        let logger = Logger.development(level: level)
        let service = try await mode.service(
            logger: logger,
            logsPaths: Console.isErrorTerminal,
            onReady: { Console.show(mode.banner($0)) }
        )
        try await ServiceRunner.run(service)
    }
}
