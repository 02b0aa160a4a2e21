package import Logging
package import ServiceLifecycle
import Synchronization

/// A Fleet Engine on this machine, for tests: Google's gRPC and REST API, with tokens verified as Google documents it.
///
/// Its tokens are real ones: it knows the public keys of service accounts, and their roles.
package struct FleetEngineEmulator: Sendable {
    private let configuration: EmulatorConfiguration
    private let engine: Engine
    private let reader: KeyReader

    /// Creates an emulator that does not listen yet.
    ///
    /// - Throws: ``EmulatorError`` that describes the invalid setting.
    package init(_ configuration: EmulatorConfiguration) throws(EmulatorError) {
        guard configuration.allowsOtherMachines || ListenAddress(host: configuration.host, port: 0).isLoopback else {
            throw EmulatorError(
                "\(configuration.host) is not a loopback address. Use --allow-other-machines to listen on it."
            )
        }
        guard PageAssets.isOrigin(configuration.tokenServer) else {
            throw EmulatorError("\(configuration.tokenServer) is not an origin such as http://127.0.0.1:8080.")
        }
        if let tiles = configuration.tiles {
            guard PageAssets.origin(of: tiles.url) != nil, ["{z}", "{x}", "{y}"].allSatisfy(tiles.url.contains) else {
                throw EmulatorError("\(tiles.url) is not a URL such as https://tile.example.com/{z}/{x}/{y}.png.")
            }
        }
        var roles: [String: Role] = [:]
        for (email, name) in configuration.roles {
            guard let role = Role(name: name) else {
                throw EmulatorError(
                    "\(name) is not a role. Use \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            roles[email] = role
        }
        let accounts = AccountRegistry(roles: roles)
        self.configuration = configuration
        reader = try KeyReader(configuration.keys, into: accounts)
        do {
            engine = try Engine(
                accounts: accounts,
                keys: reader,
                allowsAnyProvider: configuration.allowsAnyProvider,
                seed: configuration.seed
            )
        } catch {
            throw EmulatorError("The seed is no state: \(error.message)")
        }
    }

    /// Returns all resources, as the control plane's `GET state` does.
    package func state() throws(EmulatorError) -> [UInt8] {
        do {
            return try engine.state()
        } catch {
            throw EmulatorError(error.message)
        }
    }

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
        let address = { (port: Int) in ListenAddress(host: configuration.host, port: port) }
        let hosts = HostNames(
            of: address(0),
            others: configuration.allowsOtherMachines ? configuration.allowedHosts : nil
        )
        let control = ControlResponder(engine: engine, hosts: hosts)
        let page = PageAssets(tokenServer: configuration.tokenServer, tiles: configuration.tiles) { [engine] in
            engine.resources
        }
        let rest = RESTResponder(engine: engine, hosts: hosts, page: page)
        return [
            KeyReloading(reader: reader, logger: logger) { note(.keys, "") },
            HTTPListener(
                name: "REST API",
                option: "--port",
                address: address(configuration.restPort),
                logger: logger,
                onListening: { note(.rest, $0) },
                respond: rest.respond
            ),
            GRPCListener(engine: engine, address: address(configuration.grpcPort)) { note(.grpc, $0) },
            HTTPListener(
                name: "control plane",
                option: "--control-port",
                address: address(configuration.controlPort),
                logger: logger,
                onListening: { address in
                    page.setControl(address)
                    note(.control, address)
                },
                respond: control.respond
            ),
        ]
    }

    /// What must be ready before the emulator is.
    private enum Part: CaseIterable {
        case keys, rest, grpc, control
    }
}
