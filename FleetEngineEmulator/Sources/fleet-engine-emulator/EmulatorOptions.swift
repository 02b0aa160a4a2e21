import ArgumentParser
import FleetEngineEmulator
import Logging
import ServiceLifecycle
import UnixSignals

#if canImport(FoundationEssentials)
import FoundationEssentials
import Glibc
#else
import Foundation
#endif

/// The options of both ways to run the emulator.
struct EmulatorOptions: ParsableArguments {
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

    @Option(
        help: ArgumentHelp("The resources to begin with: the JSON of GET state.", valueName: "file"),
        completion: .file()
    )
    var seed: String?

    @Option(
        help: ArgumentHelp("Where to write all resources at the end, for --seed.", valueName: "file"),
        completion: .file()
    )
    var exportOnExit: String?

    @Option(help: ArgumentHelp("The token server of the journey page.", valueName: "origin"))
    var tokenServer = "http://127.0.0.1:8080"

    @Option(help: ArgumentHelp("Streets below the journey page: https://…/{z}/{x}/{y}.png.", valueName: "url"))
    var mapTiles: String?

    @Option(help: ArgumentHelp("Whose the map tiles are, as their licence demands.", valueName: "text"))
    var mapAttribution: String?

    @Flag(help: "Serve providers whose IDs do not begin with demo-, too.")
    var anyProvider = false

    @Flag(help: "Allow an address that other machines can reach, and requests to IP addresses and names without a dot.")
    var allowOtherMachines = false

    @Option(help: ArgumentHelp("Another host name that requests may have; repeatable.", valueName: "name"))
    var allowHost: [String] = []

    func validate() throws {
        guard [port, grpcPort, controlPort].allSatisfy((0...65535).contains) else {
            throw ValidationError("A port must be from 0 to 65535.")
        }
        guard (mapTiles == nil) == (mapAttribution == nil) else {
            throw ValidationError("--map-tiles and --map-attribution belong together.")
        }
        guard role.allSatisfy({ $0.split(separator: "=").count == 2 }) else {
            throw ValidationError("--role must be an address and a role: driver@example.com=driverSdkUser.")
        }
        guard allowHost.isEmpty || allowOtherMachines else {
            throw ValidationError("--allow-host is for --allow-other-machines.")
        }
    }

    /// Runs the emulator until a signal ends it, or until a command has ended that runs beside it.
    ///
    /// - Returns: The status to end with.
    @discardableResult
    func run(beside command: [String]? = nil) async throws -> Int32 {
        var logger = Logger(label: "fleet-engine-emulator") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        // A group of services logs in its own words what is thrown and printed here.
        var silent = logger
        silent.logLevel = .critical
        try checkExport()
        let emulator: FleetEngineEmulator
        do {
            emulator = try FleetEngineEmulator(settings())
        } catch let error as EmulatorError {
            throw Self.failure(error.description, .validationFailure)
        }
        let child = command.map { ChildCommand($0) }
        var services = emulator.services(logger: logger) { addresses in
            guard let child else { return Self.say(Self.banner(addresses), to: STDOUT_FILENO) }
            child.start(with: addresses)
        }.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) }
        if let child { services.append(.init(service: child, successTerminationBehavior: .gracefullyShutdownGroup)) }
        var group = ServiceGroupConfiguration(services: services, logger: silent)
        if child == nil { group.gracefulShutdownSignals = [.sigterm, .sigint] }
        group.maximumGracefulShutdownDuration = .seconds(2)
        try await ServiceGroup(configuration: group).run()
        if let exportOnExit {
            let state = Data(try emulator.state())
            do {
                try state.write(to: URL(filePath: exportOnExit), options: .atomic)
            } catch {
                throw Self.failure("The resources cannot be written to \(exportOnExit).", .failure)
            }
        }
        return child?.status ?? 0
    }

    /// Checks that the resources can be written at the end, before a command runs for an hour.
    private func checkExport() throws {
        guard let exportOnExit else { return }
        let folder = URL(filePath: exportOnExit).deletingLastPathComponent().path
        guard access("\(folder)/.", W_OK | X_OK) == 0 else {
            throw Self.failure(
                "--export-on-exit needs a folder that exists and can be written: \(folder).",
                .validationFailure
            )
        }
    }

    /// Prints a problem in one line, and returns the status to end with.
    private static func failure(_ problem: String, _ status: ExitCode) -> ExitCode {
        say("Error: \(problem)\n", to: STDERR_FILENO)
        return status
    }

    static func say(_ text: String, to file: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in write(file, bytes.baseAddress, bytes.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func settings() throws -> EmulatorConfiguration {
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
        settings.allowedHosts = allowHost
        if let mapTiles, let mapAttribution { settings.tiles = (mapTiles, mapAttribution) }
        if let seed {
            guard let data = try? Data(contentsOf: URL(filePath: seed)) else {
                throw Self.failure("There is no file \(seed) that can be read.", .validationFailure)
            }
            settings.seed = Array(data)
        }
        return settings
    }

    private static func banner(_ addresses: EmulatorAddresses) -> String {
        """
        The Fleet Engine emulator is ready. It is not Google's Fleet Engine, and forgets everything when it ends.

          export FLEET_ENGINE_EMULATOR_HOST=\(addresses.rest)

        To follow a trip in a browser, open http://\(addresses.rest)/?trip=ID; http://\(addresses.rest)/ lists what there is.
        gRPC is at \(addresses.grpc). The control plane is at http://\(addresses.control)/_emulator/. Press Control-C to stop.

        """
    }
}
