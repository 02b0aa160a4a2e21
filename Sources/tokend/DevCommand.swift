import ArgumentParser
import CommandSupport
import FleetToken
import HTTPServer
import Logging
import ServiceConfiguration
import ServiceSupport
import Telemetry
import TokenService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs the service on a developer's machine.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Serve tokens on this machine, for development.",
        discussion: """
            Every user of this machine can get a token for any valid ID. Keys are created on first use. Google does not know \
            them, so it rejects the tokens unless you use real service accounts.

            EXAMPLES:
              tokend dev
              tokend dev --port 8081 --service-account driver=driver.json

            \(ExitStatus.help())
            """
    )

    @Option(help: ArgumentHelp("The loopback address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port for token requests; 0 selects any free port.", valueName: "port"))
    var port = 8080

    @Option(help: ArgumentHelp("The port for health checks and metrics; 0 selects any free port.", valueName: "port"))
    var adminPort = 9090

    @Option(help: ArgumentHelp("The folder for development keys.", valueName: "folder"), completion: .directory)
    var keys = "keys"

    @Option(
        name: .customLong("service-account"),
        help: ArgumentHelp("The JSON key of a real account for one kind of token; repeatable.", valueName: "kind=file")
    )
    var serviceAccounts: [ServiceAccountOption] = []

    @Option(
        help: ArgumentHelp(
            "The characters that IDs may contain: ascii, or unicode for letters of all scripts.",
            valueName: "set"
        )
    )
    var ids = ResourceID.Alphabet.ascii

    @OptionGroup
    var log: LogOptions

    func validate() throws {
        guard (0...65535).contains(port), (0...65535).contains(adminPort) else {
            throw ValidationError("The port must be from 0 to 65535.")
        }
        guard Set(serviceAccounts.map(\.kind)).count == serviceAccounts.count else {
            throw ValidationError("--service-account is repeated for a kind.")
        }
    }

    func run() async throws {
        ServiceThreads.prepare()
        let environment = ProcessInfo.processInfo.environment
        let mode = try DevelopmentMode(
            service: ListenAddress(host: host, port: port),
            admin: ListenAddress(host: host, port: adminPort),
            keysDirectory: keys,
            serviceAccounts: Dictionary(uniqueKeysWithValues: serviceAccounts.map { ($0.kind, $0.path) }),
            alphabet: ids,
            environment: environment
        )
        let logger = Logger.service(
            level: try log.level(environment) ?? .info,
            isTerminal: Console.isErrorTerminal,
            environment: environment
        )
        let service = try await mode.service(
            logger: logger,
            onReady: { Console.show(mode.banner($0)) }
        )
        try await ServiceRunner.run(service, logger: logger)
    }
}

/// `KIND=FILE`.
struct ServiceAccountOption: ExpressibleByArgument {
    let kind: TokenKind
    let path: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let kind = TokenKind(name: parts[0]) else { return nil }
        self.kind = kind
        path = String(parts[1])
    }
}
