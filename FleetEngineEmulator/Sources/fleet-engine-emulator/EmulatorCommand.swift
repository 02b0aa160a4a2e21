#if Emulator
import ArgumentParser
import CommandSupport
import FleetEngineEmulator
import FleetToken
import HTTPServer
import Logging
import ServiceLifecycle
import Telemetry
import UnixSignals

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs the emulator until a signal ends it.
@main
struct EmulatorCommand: Program {
    static let configuration = CommandConfiguration(
        commandName: "fleet-engine-emulator",
        abstract: "A Fleet Engine on this machine, for tests.",
        discussion: """
            It serves the gRPC and REST API of Google's Fleet Engine, and verifies tokens as Google documents it. It knows \
            the accounts of tokend dev; others need a role and a key.

            EXAMPLES:
              fleet-engine-emulator --keys keys
              fleet-engine-emulator --jwks http://127.0.0.1:8080/.well-known/jwks.json
              fleet-engine-emulator --account driver.json --role driver@demo-fleet.iam.gserviceaccount.com=driverSdkUser
            """,
        version: "fleet-engine-emulator \(ProductVersion.current)"
    )

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port of the REST API; 0 selects any free port.", valueName: "port"))
    var port = 9190

    @Option(help: ArgumentHelp("The port of the gRPC API; 0 selects any free port.", valueName: "port"))
    var grpcPort = 9191

    @Option(help: ArgumentHelp("The port of the control plane; 0 selects any free port.", valueName: "port"))
    var controlPort = 9192

    @Option(
        help: ArgumentHelp("A folder of service accounts' key files; repeatable.", valueName: "folder"),
        completion: .directory
    )
    var keys: [String] = []

    @Option(help: ArgumentHelp("A service account's key file; repeatable.", valueName: "file"), completion: .file())
    var account: [String] = []

    @Option(help: ArgumentHelp("A key set with keys of any account; repeatable.", valueName: "file or URL"))
    var jwks: [String] = []

    @Option(help: ArgumentHelp("The role of a service account; repeatable.", valueName: "address=role"))
    var role: [String] = []

    @Option(help: ArgumentHelp("The token server of the journey page.", valueName: "origin"))
    var tokenServer = "http://127.0.0.1:8080"

    @Flag(help: "Serve providers whose IDs do not begin with demo-, too.")
    var anyProvider = false

    @Flag(help: "Allow an address that other machines can reach.")
    var allowOtherMachines = false

    @Flag(help: "Print what is as in Fleet Engine, and how that is known, and end.")
    var parity = false

    func validate() throws {
        guard [port, grpcPort, controlPort].allSatisfy((0...65535).contains) else {
            throw ValidationError("A port must be from 0 to 65535.")
        }
        guard role.allSatisfy({ $0.split(separator: "=").count == 2 }) else {
            throw ValidationError("--role must be an address and a role: driver@example.com=driverSdkUser.")
        }
    }

    static func main() async { await runToEnd() }

    func run() async throws {
        guard !parity else {
            try Console.write(FleetEngineEmulator.parity)
            return
        }
        ServiceThreads.prepare()
        let logger = Logger.service(
            level: .warning,
            isTerminal: Console.isErrorTerminal,
            environment: ProcessInfo.processInfo.environment
        )
        let emulator = try FleetEngineEmulator(settings)
        let services = emulator.services(logger: logger) { Console.show(Self.banner($0)) }
        var group = ServiceGroupConfiguration(services: services, logger: logger)
        group.gracefulShutdownSignals = [.sigterm, .sigint]
        group.maximumGracefulShutdownDuration = .seconds(2)
        defer { LineWriter.flushAll() }
        try await ServiceGroup(configuration: group).run()
    }

    private var settings: EmulatorConfiguration {
        var settings = EmulatorConfiguration()
        settings.host = host
        settings.restPort = port
        settings.grpcPort = grpcPort
        settings.controlPort = controlPort
        settings.keys = keys.map { .folder($0) } + account.map { .file($0) }
        settings.keys += jwks.map { $0.contains("://") ? .keySetURL($0) : .keySet($0) }
        for pair in role {
            let halves = pair.split(separator: "=")
            settings.roles[String(halves[0])] = String(halves[1])
        }
        settings.tokenServer = tokenServer
        settings.allowsAnyProvider = anyProvider
        settings.allowsOtherMachines = allowOtherMachines
        return settings
    }

    private static func banner(_ addresses: EmulatorAddresses) -> String {
        """
        The Fleet Engine emulator is ready. It is not Google's Fleet Engine, and forgets everything when it ends.

          export FLEET_ENGINE_EMULATOR_HOST=\(addresses.rest)

        To follow a trip in a browser, open http://\(addresses.rest)/?trip=ID.
        gRPC is at \(addresses.grpc). The control plane is at http://\(addresses.control)/_emulator/. Press Control-C to stop.

        """
    }
}
#else
import CommandSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Fails, and says how to build the emulator.
@main
struct EmulatorCommand {
    static func main() {
        Console.note("This build is without the emulator. Build it with: swift build --traits Emulator")
        exit(EXIT_FAILURE)
    }
}
#endif
