import FleetToken
import HTTPServer
import HTTPTypes
import ServiceSupport
import StrictCoding
import TokenIssuance

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
