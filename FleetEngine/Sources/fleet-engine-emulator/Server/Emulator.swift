import Logging

/// A Fleet Engine on this machine, for tests: Google's REST API, with tokens verified as Google documents it.
///
/// Its tokens are real ones: it knows the public keys of service accounts, and their roles.
struct Emulator: Sendable {
    private let options: EmulatorOptions
    private let engine: Engine
    let reader: KeyReader
    private let page: JourneyPage

    /// Creates an emulator that does not listen yet.
    ///
    /// - Throws: ``EmulatorError`` that describes the invalid setting.
    init(_ options: EmulatorOptions) throws(EmulatorError) {
        guard options.allowOtherMachines || ListenAddress(host: options.host, port: 0).isLoopback else {
            throw EmulatorError(
                "\(options.host) is not a loopback address. Use --allow-other-machines to listen on it."
            )
        }
        page = try JourneyPage(tokenServer: options.tokenServer)
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
        reader = try KeyReader(folders: options.keys, files: options.account, into: accounts)
        let seed = try options.seedContent()
        do {
            engine = try Engine(
                accounts: accounts,
                keys: reader,
                faults: FaultPlan(faults),
                allowsAnyProvider: options.anyProvider,
                seed: seed
            )
        } catch {
            throw EmulatorError("The seed is no state: \(error.message)")
        }
    }

    /// Returns the service that responds to requests.
    ///
    /// - Parameters:
    ///   - logger: Gets the listener's problems.
    ///   - onListening: Called once with the address.
    /// - Returns: The service.
    func listener(logger: Logger, onListening: @escaping @Sendable (String) -> Void) -> HTTPListener {
        let address = ListenAddress(host: options.host, port: options.port)
        let responder = EmulatorResponder(
            engine: engine,
            hosts: HostNames(of: address, allowsOtherMachines: options.allowOtherMachines),
            page: page
        )
        return HTTPListener(address: address, logger: logger, responder: responder, onListening: onListening)
    }
}
