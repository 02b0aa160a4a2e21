import EngineCoding
import FleetToken
import HTTPTypes
import Synchronization

/// The core of the emulator: verifies a request's token, and performs the request.
final class Engine: Sendable {
    private let accounts: Accounts
    let clock = EmulatorClock()
    let faults: FaultPlan
    /// The resources to begin with, as the API has them.
    private let seed: Message
    private let fleet: Mutex<Fleet>

    /// Creates the core.
    ///
    /// - Throws: ``EngineError`` if a resource of the seed is refused.
    init(accounts: Accounts, faults: FaultPlan, seed: Message) throws(EngineError) {
        self.accounts = accounts
        self.faults = faults
        self.seed = seed
        fleet = Mutex(try Fleet(seed: seed, at: clock.now))
    }

    /// Responds to a request.
    ///
    /// - Returns: The response or the error, and how a fault breaks it.
    func respond(
        to head: HTTPRequest,
        at target: RequestTarget,
        body: [UInt8]
    ) async -> (result: Result<Message, EngineError>, broken: BrokenResponse?) {
        var faults = InjectedFaults()
        do throws(EngineError) {
            let method = try Method.find(head.method, target)
            faults = self.faults.faults(for: method)
            try await faults.delay()
            if let error = faults.error { throw error }
            let principal = try await principal(head.headerFields[.authorization])
            let request = try read(target, body: body, as: method.route, for: principal)
            return (perform(request, method, for: principal), faults.broken)
        } catch {
            return (.failure(error), faults.broken)
        }
    }

    /// Reads the key files, so that their problems are known at the start.
    func readKeys() async {
        _ = await accounts.current()
    }

    private func principal(_ authorization: String?) async throws(EngineError) -> Principal {
        let verifier = TokenVerifier(accounts: await accounts.current())
        return try verifier.verify(authorization, now: clock.now.seconds)
    }

    /// Reads a request, for a service account that has access to the provider.
    private func read(
        _ target: RequestTarget,
        body: [UInt8],
        as route: Route,
        for principal: Principal
    ) throws(EngineError) -> MethodRequest {
        let name = try route.name(at: target)
        guard principal.project == nil || principal.project == name.provider else {
            throw EngineError(.providerForeign, "The service account belongs to another project than the provider.")
        }
        let parameters = try route.parameters.read(parameters: target.parameters)
        let body: Message =
            switch route.body {
            case .none: Message()
            case .resource(let table), .request(let table): try table.read(requestBody: body)
            }
        return MethodRequest(name: name, parameters: parameters, body: body, now: clock.now)
    }

    private func perform(
        _ request: MethodRequest,
        _ method: Method,
        for principal: Principal
    ) -> Result<Message, EngineError> {
        fleet.withLock { fleet in
            do throws(EngineError) {
                // Authorize first: without access the response is 403, never 404.
                try principal.satisfy(method.requirement(request, fleet))
                return .success(try method.respond(&fleet, request))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Restores what was there after the start: the resources, and the faults and the clock of the options.
    func reset() throws(EngineError) {
        clock.reset()
        faults.reset()
        let fleet = try Fleet(seed: seed, at: clock.now)
        self.fleet.withLock { $0 = fleet }
    }
}

extension Table {
    /// Reads the body of a request; none is an empty message.
    fileprivate func read(requestBody body: [UInt8]) throws(EngineError) -> Message {
        guard !body.isEmpty else { return Message() }
        let object = try JSONObject.parsed(body)
        if let name = object.names.first(where: { Tables.unimplemented.contains($0.camelCased) }) {
            throw .unimplemented(name)
        }
        return try read(.object(object), at: FieldPath(root: name))
    }
}
