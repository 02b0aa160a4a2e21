import FleetToken
import HTTPServer
import HTTPTypes
import ServiceSupport
import StrictCoding
import TokenIssuance

/// Responds on the public listener as the service that is loaded now, and to load balancers' health checks, if the
/// configuration names a path for them.
///
/// The response to a health check says whether requests may be sent here, and nothing else. It needs no caller, has no audit
/// line, and is logged at the level `debug` only.
struct CurrentResponder: Responder {
    private let current: CurrentService
    private let readiness: RecentReadiness
    private let recorder: ResponseRecorder

    init(_ current: CurrentService, _ readiness: Readiness) {
        self.current = current
        self.readiness = RecentReadiness(clock: current.shared.clock) { await readiness.report().isReady }
        recorder = current.shared.recorder
    }

    func respond(to request: Request) async -> Response {
        let loaded = current.loaded
        guard let path = loaded.parts.configuration.healthPath, request.head.path?.hasSameBytes(as: path) ?? false,
            request.head.method == .get || request.head.method == .head
        else { return await loaded.responder.respond(to: request) }
        let call = IncomingCall(request.head, at: recorder.clock.monotonic)
        let isReady = current.shared.lifecycle.isDraining ? false : await readiness.isReady
        let response = Response(
            status: isReady ? .ok : .serviceUnavailable,
            json: Array(#"{"status":"\#(isReady ? "ok" : "unready")"}"#.utf8)
        )
        return recorder.response(to: call, at: .health, response)
    }
}
