#if Emulator
import FleetToken
import HTTPServer
import JOSE
package import Logging
import NIOPosix
import ServiceSupport
package import ServiceLifecycle
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A Fleet Engine on this machine, for tests: Google's gRPC and REST API, with tokens verified as Google documents it.
///
/// Its tokens are real ones: it knows the public keys of service accounts, and their roles.
///
/// ```
/// var configuration = EmulatorConfiguration()
/// configuration.keys = [.folder("keys")]
/// try await FleetEngineEmulator.run(configuration) { addresses in
///     // addresses.rest is the host for REST clients, until this returns.
/// }
/// ```
public struct FleetEngineEmulator: Sendable {
    private let configuration: EmulatorConfiguration
    private let engine: Engine
    private let reader: KeyReader

    /// What the emulator does as Fleet Engine does, and how that is known, as Markdown.
    package static var parity: String { Parity.markdown }

    /// Creates an emulator that does not listen yet.
    ///
    /// - Throws: An error that describes the invalid setting.
    public init(_ configuration: EmulatorConfiguration) throws {
        guard configuration.allowsOtherMachines || ListenAddress(host: configuration.host, port: 0).isLoopback else {
            throw ConfigurationError(
                "\(configuration.host) is not a loopback address. Use --allow-other-machines to listen on it."
            )
        }
        guard PageOrigin.isValid(configuration.tokenServer) else {
            throw ConfigurationError("\(configuration.tokenServer) is not an origin such as http://127.0.0.1:8080.")
        }
        let accounts = AccountRegistry()
        for (email, name) in configuration.roles {
            guard let role = Role(name: name) else {
                throw ConfigurationError(
                    "\(name) is not a role. Use \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            accounts.set(role, for: email)
        }
        self.configuration = configuration
        engine = Engine(
            accounts: accounts,
            clock: EmulatorClock(wall: Self.wallClock),
            allowsAnyProvider: configuration.allowsAnyProvider
        )
        reader = KeyReader(configuration.keys, into: accounts)
    }

    /// Runs an emulator while a body runs.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - body: Called when the emulator listens and has read the keys.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or why the emulator cannot listen.
    public static func run<Result: Sendable>(
        _ configuration: EmulatorConfiguration,
        _ body: @escaping @Sendable (EmulatorAddresses) async throws -> Result
    ) async throws -> Result {
        let (stream, continuation) = AsyncStream.makeStream(of: EmulatorAddresses.self)
        let emulator = try Self(configuration)
        let group = ServiceGroup(
            configuration: .init(
                services: emulator.services(logger: quiet) { continuation.yield($0) },
                logger: quiet
            )
        )
        return try await withThrowingTaskGroup(of: Result?.self) { tasks in
            tasks.addTask {
                try await group.run()
                return nil
            }
            tasks.addTask {
                for await addresses in stream { return try await body(addresses) }
                throw CancellationError()
            }
            defer { tasks.cancelAll() }
            while let result = try await tasks.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private static let quiet = Logger(label: "fleet-engine-emulator") { _ in SwiftLogNoOpLogHandler() }

    /// Returns the services of the emulator, to be run together.
    ///
    /// - Parameters:
    ///   - logger: Gets problems with keys.
    ///   - onReady: Called once, when all listen and the keys are read.
    /// - Returns: The services.
    package func services(
        logger: Logger,
        onReady: @escaping @Sendable (EmulatorAddresses) -> Void
    ) -> [any Service] {
        let ready = Mutex<[Part: String]>([:])
        let note = { @Sendable (part: Part, address: String) in
            let all = ready.withLock { ready in
                ready[part] = address
                return ready.count == Part.allCases.count ? ready : nil
            }
            if let all, let rest = all[.rest], let grpc = all[.grpc], let control = all[.control] {
                onReady(EmulatorAddresses(rest: rest, grpc: grpc, control: control))
            }
        }
        let lifecycle = Lifecycle()
        let hosts =
            configuration.allowsOtherMachines
            ? .any : HostPolicy.development.listening(on: ListenAddress(host: configuration.host, port: 0))
        let listener = { (port: Int, responder: any Responder, onListening: @escaping @Sendable (String) -> Void) in
            Listener(
                address: ListenAddress(host: configuration.host, port: port),
                responder: responder,
                policy: Self.policy,
                maximumBodySize: RESTResponder.maximumBodySize,
                lifecycle: lifecycle,
                onListening: { onListening($0.description) }
            )
        }
        let control = ControlResponder(engine: engine, hosts: hosts)
        let page = PageAssets(tokenServer: configuration.tokenServer)
        let rest = RESTResponder(engine: engine, hosts: hosts, page: page)
        return [
            KeyReloading(reader: reader, logger: logger) { note(.keys, "") },
            listener(configuration.restPort, rest) { note(.rest, $0) },
            GRPCListener(engine: engine, host: configuration.host, port: configuration.grpcPort) { note(.grpc, $0) },
            listener(configuration.controlPort, control) { address in
                page.setControl(address)
                note(.control, address)
            },
        ]
    }

    /// What must be ready before the emulator is.
    private enum Part: CaseIterable {
        case keys, rest, grpc, control
    }

    /// Followers and vehicles of a whole fleet come from one address here, and faults may delay answers.
    private static let policy: ConnectionPolicy = {
        var policy = ConnectionPolicy()
        policy.maximumConnections = 10_000
        policy.maximumConnectionsPerAddress = 10_000
        policy.idle = .seconds(300)
        policy.handle = .seconds(120)
        return policy
    }()

    private static let wallClock: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
#endif
