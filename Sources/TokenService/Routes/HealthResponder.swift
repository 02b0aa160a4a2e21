import FleetToken
import HTTPServer
import HTTPTypes
import ServiceSupport
import StrictCoding
import Synchronization
import TokenIssuance

/// Whether requests may be sent here, checked at most once per second: anyone can request it on the public listener.
final class RecentReadiness: Sendable {
    /// The time for which a result is used, in nanoseconds.
    static let lifetime: Int64 = 1_000_000_000

    private struct State {
        var isReady = false
        /// When the result is no longer used; nil before the first.
        var end: Int64?
    }

    private let state = Mutex(State())
    private let check: @Sendable () async -> Bool
    private let clock: ServiceClock

    /// Creates a value that has not been checked.
    init(clock: ServiceClock, check: @escaping @Sendable () async -> Bool) {
        self.check = check
        self.clock = clock
    }

    /// Whether requests may be sent here.
    ///
    /// While a check runs, other requests get the previous result.
    var isReady: Bool {
        get async {
            let now = clock.monotonic
            let known: Bool? = state.withLock { state in
                if let end = state.end, now < end { return state.isReady }
                state.end = now + Self.lifetime
                return nil
            }
            if let known { return known }
            let isReady = await check()
            state.withLock { $0.isReady = isReady }
            return isReady
        }
    }
}

/// Responds to load balancers' health checks on the public listener, if the configuration names a path for them.
///
/// The response says whether requests may be sent here, and nothing else. It needs no caller, has no audit line, and is logged
/// at the level `debug` only.
struct HealthResponder: Responder {
    /// The responder to all other requests.
    let responder: @Sendable () -> any Responder
    /// The path; nil for none.
    let path: @Sendable () -> String?
    let lifecycle: Lifecycle
    let readiness: RecentReadiness
    let recorder: ResponseRecorder

    func respond(to request: Request) async -> Response {
        guard let path = path(), request.head.path?.hasSameBytes(as: path) ?? false,
            request.head.method == .get || request.head.method == .head
        else { return await responder().respond(to: request) }
        let call = IncomingCall(request.head, at: recorder.clock.monotonic)
        let isReady = lifecycle.isDraining ? false : await readiness.isReady
        let response = Response(
            status: isReady ? .ok : .serviceUnavailable,
            json: Array(#"{"status":"\#(isReady ? "ok" : "unready")"}"#.utf8)
        )
        return recorder.response(to: call, at: .health, response)
    }
}
