import Logging
import ServiceLifecycle
import Synchronization

/// A Fleet Engine on this machine, for tests: Google's REST API, with tokens verified as Google documents it.
///
/// Its tokens are real ones: it knows the public keys of service accounts, and their roles.
struct Emulator: Sendable {
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
        try JourneyPage.check(options)
        var roles: [String: Role] = [:]
        for (email, name) in options.roles {
            guard let role = Role(name: name) else {
                throw EmulatorError(
                    "\(name) is not a role. Use \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            roles[email] = role
        }
        guard let faults = Fault.profile(options.faults) else {
            throw EmulatorError("\(options.faults) is not one of \(Fault.profiles.joined(separator: ", ")).")
        }
        let accounts = AccountRegistry(roles: roles)
        self.options = options
        reader = try KeyReader(options.keySources, into: accounts)
        let seed = try options.seedContent()
        do {
            engine = try Engine(
                accounts: accounts,
                keys: reader,
                faults: FaultPlan(try Fault.list(faults)),
                allowsAnyProvider: options.anyProvider,
                seed: seed
            )
        } catch {
            throw EmulatorError("The seed is no state: \(error.message)")
        }
    }

    /// Returns the services of the emulator, to be run together.
    ///
    /// - Parameters:
    ///   - logger: Gets problems with keys.
    ///   - onReady: Called once with the address, when the emulator listens and the keys are read.
    /// - Returns: The services.
    func services(logger: Logger, onReady: @escaping @Sendable (String) -> Void) -> [any Service] {
        let ready = Mutex<(address: String?, hasKeys: Bool)>((nil, false))
        let note = { @Sendable (address: String?) in
            let isReady = ready.withLock { ready in
                if let address { ready.address = address } else { ready.hasKeys = true }
                return ready.hasKeys ? ready.address : nil
            }
            if let isReady { onReady(isReady) }
        }
        let address = ListenAddress(host: options.host, port: options.port)
        let responder = EmulatorResponder(
            engine: engine,
            hosts: HostNames(of: address, others: options.allowOtherMachines ? options.allowHost : nil),
            page: JourneyPage(options)
        )
        return [
            KeyReloading(reader: reader, logger: logger) { note(nil) },
            HTTPListener(address: address, logger: logger, responder: responder) { note($0) },
        ]
    }
}
