import Logging
import ServiceLifecycle
import Synchronization

/// Where an emulator listens: `HOST:PORT` each.
struct EmulatorAddresses: Sendable {
    /// The REST API and the pages; what `FLEET_ENGINE_EMULATOR_HOST` is set to.
    let rest: String
    let grpc: String
    let control: String
}

/// A Fleet Engine on this machine, for tests: Google's gRPC and REST API, with tokens verified as Google documents it.
///
/// Its tokens are real ones: it knows the public keys of service accounts, and their roles.
struct FleetEngineEmulator: Sendable {
    private let options: EmulatorOptions
    private let engine: Engine
    private let reader: KeyReader

    /// Creates an emulator that does not listen yet.
    ///
    /// - Throws: ``EmulatorError`` that describes the invalid setting.
    init(_ options: EmulatorOptions) throws(EmulatorError) {
        guard options.allowOtherMachines || ListenAddress(host: options.host, port: 0).isLoopback else {
            throw EmulatorError(
                "\(options.host) is not a loopback address. Use --allow-other-machines to listen on it."
            )
        }
        guard PageAssets.isOrigin(options.tokenServer) else {
            throw EmulatorError("\(options.tokenServer) is not an origin such as http://127.0.0.1:8080.")
        }
        if let tiles = options.tiles {
            guard PageAssets.origin(of: tiles.url) != nil, ["{z}", "{x}", "{y}"].allSatisfy(tiles.url.contains) else {
                throw EmulatorError("\(tiles.url) is not a URL such as https://tile.example.com/{z}/{x}/{y}.png.")
            }
        }
        var roles: [String: Role] = [:]
        for (email, name) in options.roles {
            guard let role = Role(name: name) else {
                throw EmulatorError(
                    "\(name) is not a role. Use \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            roles[email] = role
        }
        let accounts = AccountRegistry(roles: roles)
        self.options = options
        reader = try KeyReader(options.keySources, into: accounts)
        let seed = try options.seedContent()
        do {
            engine = try Engine(
                accounts: accounts,
                keys: reader,
                allowsAnyProvider: options.anyProvider,
                seed: seed
            )
        } catch {
            throw EmulatorError("The seed is no state: \(error.message)")
        }
    }

    /// Returns all resources, as the control plane's `GET state` does.
    func state() throws(EmulatorError) -> [UInt8] {
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
    func services(
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
        let address = { (port: Int) in ListenAddress(host: options.host, port: port) }
        let hosts = HostNames(
            of: address(0),
            others: options.allowOtherMachines ? options.allowHost : nil
        )
        let control = ControlResponder(engine: engine, hosts: hosts)
        let page = PageAssets(tokenServer: options.tokenServer, tiles: options.tiles) { [engine] in
            engine.resources
        }
        let rest = RESTResponder(engine: engine, hosts: hosts, page: page)
        return [
            KeyReloading(reader: reader, logger: logger) { note(.keys, "") },
            HTTPListener(
                name: "REST API",
                option: "--port",
                address: address(options.port),
                logger: logger,
                onListening: { note(.rest, $0) },
                respond: rest.respond
            ),
            GRPCListener(engine: engine, address: address(options.grpcPort)) { note(.grpc, $0) },
            HTTPListener(
                name: "control plane",
                option: "--control-port",
                address: address(options.controlPort),
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
