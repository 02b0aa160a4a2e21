import SwiftProtobuf
import Synchronization

/// The core of the emulator: a request's way from token to answer, the same for both transports.
final class Engine: Sendable {
    let accounts: AccountRegistry
    let clock: EmulatorClock
    let journal = Journal()
    let faults: FaultPlan
    /// Whether providers need not begin with `demo-`.
    private let allowsAnyProvider: Bool
    /// The resources after the start, and after a reset.
    private let seed: Fleet
    private let fleet: Mutex<Fleet>

    /// Creates the core, with the resources of a state, as the control plane has it.
    init(
        accounts: AccountRegistry,
        clock: EmulatorClock,
        faults: FaultPlan = FaultPlan(),
        allowsAnyProvider: Bool = false,
        seed: [UInt8]? = nil
    ) throws(EngineError) {
        self.accounts = accounts
        self.clock = clock
        self.faults = faults
        self.allowsAnyProvider = allowsAnyProvider
        self.seed = try Self.fleet(seed, clock.now)
        fleet = Mutex(self.seed)
    }

    private static func fleet(_ state: [UInt8]?, _ now: Timestamp) throws(EngineError) -> Fleet {
        guard let state else { return Fleet() }
        return try Fleet(state: state, now: now)
    }

    /// Answers a request.
    ///
    /// - Returns: The response, and what the transport is to do to it.
    /// - Throws: ``EngineError`` if it is refused.
    func perform<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ call: Call
    ) async throws(EngineError) -> (Response, Disturbance?) {
        let name = endpoint.name(request)
        let draw = faults.draw(endpoint.method, name)
        var account: String?
        do throws(EngineError) {
            try await draw.delayed()
            let response = try answer(endpoint, request, name, call, draw, &account)
            record(endpoint.method.rawValue, name, call, account, nil, draw.ids)
            return (response, draw.disturbance)
        } catch {
            record(endpoint.method.rawValue, name, call, account, error, draw.ids)
            throw error
        }
    }

    private func answer<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ name: String,
        _ call: Call,
        _ draw: FaultDraw,
        _ account: inout String?
    ) throws(EngineError) -> Response {
        if let error = draw.error { throw error }
        let now = clock.now
        let principal = try TokenVerifier(accounts: accounts).verify(call.authorization, now: now.seconds)
        account = principal.email
        let resource = try ResourceName(name, in: endpoint.collection)
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
                // The need comes first: a resource that a token does not open is not said to be missing.
                try principal.require(endpoint.need(request, resource, fleet))
                try (request as? any HeaderCarrying)?.checkHeader()
                return .success(try endpoint.handle(&fleet, request, principal, now))
            } catch {
                return .failure(error)
            }
        }
        let response = try result.get()
        return draw.isStale ? faults.firstAnswer(response, endpoint.method, name) : response
    }

    /// Records the refusal of a request that names no method or is no message.
    func refuse(_ method: String, _ call: Call, _ error: EngineError) {
        record(method, "", call, nil, error, [])
    }

    private func record(
        _ method: String,
        _ name: String,
        _ call: Call,
        _ account: String?,
        _ error: EngineError?,
        _ faults: [String]
    ) {
        let now = clock.now
        journal.record { number in
            Journal.Entry(
                number: number,
                time: now,
                transport: call.transport,
                method: method,
                resource: name,
                account: account,
                error: error,
                faults: faults
            )
        }
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
