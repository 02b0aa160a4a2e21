import SwiftProtobuf
import Synchronization

/// The core of the emulator: a request's way from token to response, the same for both transports.
final class Engine: Sendable {
    let accounts: AccountRegistry
    private let keys: KeyReader
    let clock = EmulatorClock()
    let journal = Journal()
    let faults = FaultPlan()
    /// Whether providers need not begin with `demo-`.
    private let allowsAnyProvider: Bool
    /// The resources after the start, and after a reset.
    private let seed: Fleet
    private let fleet: Mutex<Fleet>

    /// Creates the core, with the resources of a state, as the control plane has it.
    init(
        accounts: AccountRegistry,
        keys: KeyReader,
        allowsAnyProvider: Bool,
        seed: [UInt8]?
    ) throws(EngineError) {
        self.accounts = accounts
        self.keys = keys
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
    /// - Returns: The response, and what the transport is to do to it.
    /// - Throws: ``EngineError`` if it is refused.
    func respond<Request, Response>(
        to request: Request,
        _ endpoint: Endpoint<Request, Response>,
        call: Call
    ) async throws(EngineError) -> (Response, Disturbance?) {
        let name = endpoint.name(request)
        let draw = faults.draw(endpoint.method, name)
        var entry = Journal.Entry(transport: call.transport, method: endpoint.method.rawValue, resource: name)
        entry.faults = draw.ids
        defer { journal.record(entry, at: clock.now) }
        do throws(EngineError) {
            try await draw.delayed()
            if let error = draw.error { throw error }
            let now = clock.now
            let principal = try await principal(call.authorization, now: now.seconds)
            entry.account = principal.email
            let response = try self.response(to: request, endpoint, for: principal, at: now)
            return (
                draw.isStale ? faults.firstResponse(response, endpoint.method, of: name) : response, draw.disturbance
            )
        } catch {
            entry.error = error
            throw error
        }
    }

    private func principal(_ authorization: String?, now: Int64) async throws(EngineError) -> Principal {
        let verifier = TokenVerifier(accounts: accounts)
        do throws(EngineError) {
            return try verifier.verify(authorization, now: now)
        } catch {
            guard error.rule == .keyUnknown else { throw error }
            await keys.readAgain()
            return try verifier.verify(authorization, now: now)
        }
    }

    private func response<Request, Response>(
        to request: Request,
        _ endpoint: Endpoint<Request, Response>,
        for principal: Principal,
        at now: Timestamp
    ) throws(EngineError) -> Response {
        let resource = try ResourceName(endpoint.name(request), in: endpoint.collection)
        guard allowsAnyProvider || resource.provider.hasPrefix("demo-") else {
            throw EngineError(
                .providerNotDemo,
                "The emulator serves providers that begin with demo-. Start it with --any-provider for others."
            )
        }
        guard principal.project == nil || principal.project == resource.provider else {
            throw EngineError(.providerForeign, "The service account belongs to another project than the provider.")
        }
        // Typed throws do not pass through withLock.
        let result = fleet.withLock { fleet -> Result<Response, EngineError> in
            do throws(EngineError) {
                // The need comes first: a resource that a token grants no access to is not said to be missing.
                try principal.require(endpoint.need(request, resource, fleet))
                try (request as? any HeaderCarrying)?.checkHeader()
                return .success(try endpoint.handle(&fleet, request, now))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Records the refusal of a request that names no method or is no message, and returns it.
    func refused(_ error: EngineError, method: String, call: Call) -> EngineError {
        var entry = Journal.Entry(transport: call.transport, method: method)
        entry.error = error
        journal.record(entry, at: clock.now)
        return error
    }

    /// All resources.
    var resources: Fleet { fleet.withLock { $0 } }

    /// Returns all resources as JSON.
    func state() throws(EngineError) -> [UInt8] { try resources.state() }

    /// Replaces all resources.
    func replaceFleet(_ new: Fleet) {
        fleet.withLock { $0 = new }
    }

    /// Restores what was there after the start.
    func reset() {
        replaceFleet(seed)
        journal.clear()
        faults.set([], seed: 1)
        clock.set(offset: 0, isFrozen: false)
        accounts.reset()
    }
}
