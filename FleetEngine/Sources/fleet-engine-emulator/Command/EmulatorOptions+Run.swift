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
        let responder: EmulatorResponder
        do throws(EmulatorError) {
            responder = EmulatorResponder(engine: try engine(), page: try JourneyPage(tokenServer: tokenServer))
        } catch {
            throw Self.failure(error.description, .validationFailure)
        }
        await responder.engine.readKeys()
        let child = command.map { ChildCommand($0) }
        let address = ListenAddress(host: host, port: port)
        let listener = HTTPListener(address: address, logger: logger, responder: responder) { address in
            guard let child else { return Self.say(Self.banner(address), to: STDOUT_FILENO) }
            child.start(with: address)
        }
        var services = [ServiceGroupConfiguration.ServiceConfiguration(service: listener)]
        if let child { services.append(.init(service: child, successTerminationBehavior: .gracefullyShutdownGroup)) }
        var group = ServiceGroupConfiguration(services: services, logger: silent)
        if child == nil { group.gracefulShutdownSignals = [.sigterm, .sigint] }
        group.maximumGracefulShutdownDuration = .seconds(2)
        try await ServiceGroup(configuration: group).run()
        return child?.status ?? 0
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

    private static func banner(_ address: String) -> String {
        """
        The Fleet Engine emulator is ready. It is not Google's Fleet Engine, and forgets everything when it ends.

          export FLEET_ENGINE_EMULATOR_HOST=\(address)

        To follow a trip in a browser, open http://\(address)/?trip=ID.
        Press Control-C to stop.

        """
    }
}
