import EngineCoding
import FleetToken
import HTTPTypes
import Synchronization

/// The core of the emulator: a request's way from token to response.
final class Engine: Sendable {
    private let accounts: AccountRegistry
    private let keys: KeyReader
    let clock = EmulatorClock()
    let faults: FaultPlan
    /// Whether providers need not begin with `demo-`.
    private let allowsAnyProvider: Bool
    /// The resources after the start, and after a reset.
    private let seed: Fleet
    private let fleet: Mutex<Fleet>

    /// Creates the core, with the resources of a state.
    init(
        accounts: AccountRegistry,
        keys: KeyReader,
        faults: FaultPlan,
        allowsAnyProvider: Bool,
        seed: [UInt8]?
    ) throws(EngineError) {
        self.accounts = accounts
        self.keys = keys
        self.faults = faults
        self.allowsAnyProvider = allowsAnyProvider
        if let seed {
            self.seed = try Fleet(state: seed, now: clock.now)
        } else {
            self.seed = Fleet()
        }
        fleet = Mutex(self.seed)
    }

    /// Responds to a request.
    ///
    /// - Returns: The response, and what is to be done to it.
    /// - Throws: ``EngineError`` if it is refused.
    func respond(to call: EngineCall) async throws(EngineError) -> (Message, Fault.Disturbance?) {
        let method = try Method.find(call.verb, call.path)
        let draw = faults.draw(method, call.path.name)
        try await draw.delayed()
        if let error = draw.error { throw error }
        let principal = try await principal(call.authorization)
        let request = try request(call, method, for: principal)
        // Typed throws do not pass through withLock.
        let result = fleet.withLock { fleet -> Result<Message, EngineError> in
            do throws(EngineError) {
                // The need comes first: a resource that a token grants no access to is not said to be missing.
                try principal.require(method.need(request, fleet))
                return .success(try method.respond(to: request, from: &fleet))
            } catch {
                return .failure(error)
            }
        }
        return (try result.get(), draw.disturbance)
    }

    private func principal(_ authorization: String?) async throws(EngineError) -> Principal {
        let verifier = TokenVerifier(accounts: accounts)
        do throws(EngineError) {
            return try verifier.verify(authorization, now: clock.now.seconds)
        } catch {
            guard error.rule == .keyUnknown || error.rule == .issuerUnknown else { throw error }
            await keys.readAgain()
            return try verifier.verify(authorization, now: clock.now.seconds)
        }
    }

    /// Reads a request, for a service account that may ask about the provider.
    private func request(
        _ call: EngineCall,
        _ method: Method,
        for principal: Principal
    ) throws(EngineError) -> EngineRequest {
        let route = method.route
        let name = try ResourceName(call.path.name, in: route.isOfOne ? route.collection : nil)
        guard allowsAnyProvider || name.provider.hasPrefix("demo-") else {
            throw EngineError(
                .providerNotDemo,
                "The emulator serves providers that begin with demo-. Start it with --any-provider for others."
            )
        }
        guard principal.project == nil || principal.project == name.provider else {
            throw EngineError(.providerForeign, "The service account belongs to another project than the provider.")
        }
        let parameters = try route.parameters.read(parameters: call.parameters)
        let body: Message =
            switch route.body {
            case .none: Message()
            case .resource(let table), .request(let table): try table.read(body: call.body)
            }
        return EngineRequest(method: method, name: name, parameters: parameters, body: body, now: clock.now)
    }

    /// Restores what was there after the start: the resources, and the faults and the clock of the options.
    func reset() {
        fleet.withLock { $0 = seed }
        faults.reset()
        clock.reset()
    }
}

extension Table {
    /// Reads a body; none is an empty message.
    fileprivate func read(body: [UInt8]) throws(EngineError) -> Message {
        guard !body.isEmpty else { return Message() }
        let object = try JSONObject.parsed(body)
        if let name = object.names.first(where: { Tables.unimplemented.contains($0.camelCased) }) {
            throw .unimplemented(name)
        }
        return try read(.object(object), at: FieldPath(root: name))
    }
}
