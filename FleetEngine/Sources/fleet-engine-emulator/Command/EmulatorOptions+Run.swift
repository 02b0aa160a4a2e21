import ArgumentParser
import Logging
import ServiceLifecycle
import UnixSignals

#if canImport(FoundationEssentials)
import FoundationEssentials
import Glibc
#else
import Foundation
#endif

extension EmulatorOptions {
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
            emulator = try FleetEngineEmulator(self)
        } catch {
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

    private static func banner(_ addresses: EmulatorAddresses) -> String {
        """
        The Fleet Engine emulator is ready. It is not Google's Fleet Engine, and forgets everything when it ends.

          export FLEET_ENGINE_EMULATOR_HOST=\(addresses.rest)

        To follow a trip in a browser, open http://\(addresses.rest)/?trip=ID; http://\(addresses.rest)/ lists what there is.
        gRPC is at \(addresses.grpc). The control plane is at http://\(addresses.control)/_emulator/. Press Control-C to stop.

        """
    }
}
