import FleetToken
import HTTPTypes
import Metrics
import NIOPosix
import ServiceSupport
import TokenIssuance

/// Responds on the admin listener, which operators' tools use and callers never reach.
struct AdminResponder: Responder {
    /// The host names in requests; nil accepts all.
    let hosts: HostPolicy?
    /// Returns the public keys' JSON as it is now.
    let keys: @Sendable () async throws -> [UInt8]
    /// Returns the checks of the service that is loaded now.
    let readiness: @Sendable () -> Readiness
    let recorder: ResponseRecorder

    func respond(to request: Request) async -> Response {
        let call = request.call
        if let error = request.error { return recorder.response(to: call, error) }
        var route = HTTPMetrics.RouteLabel.other
        do {
            let response = try await response(to: call.head, &route)
            return recorder.response(to: call, at: route, response)
        } catch {
            return recorder.response(to: call, at: route, .refused(error as? Refusal ?? .noTokenRequest(error)))
        }
    }

    private func response(to head: HTTPRequest, _ route: inout HTTPMetrics.RouteLabel) async throws -> Response {
        try hosts?.check(head)
        let target = try RequestTarget(head.path ?? "")
        let path = "/" + target.segments.joined(separator: "/")
        let routes: [HTTPMetrics.RouteLabel] = [.livez, .readyz, .jwks, .metrics]
        guard let known = routes.first(where: { $0.rawValue == path }) else {
            throw TokenError(.notFound, "Not found. Use /livez, /readyz or /metrics.")
        }
        route = known
        guard head.method == .get || head.method == .head else {
            throw Refusal.methodNotAllowed(allowed: "GET, HEAD")
        }
        switch known {
        case .readyz: return await ready(isVerbose: target.parameters.contains { $0.name == "verbose" })
        case .jwks: return Response(status: .ok, json: try await keys())
        case .metrics: return try await page()
        default: return Response(status: .ok, json: Array(#"{"status":"ok"}"#.utf8))
        }
    }

    private func ready(isVerbose: Bool) async -> Response {
        let report = await readiness().report()
        let status: HTTPResponse.Status = report.state == .ok ? .ok : .serviceUnavailable
        guard isVerbose, report.state != .draining else {
            return Response(status: status, json: Array(#"{"status":"\#(report.state.rawValue)"}"#.utf8))
        }
        return Response(
            status: status,
            contentType: "text/plain; charset=utf-8",
            body: Array(report.text.utf8)
        )
    }

    private func page() async throws -> Response {
        let state = await readiness().report().state
        let metrics = recorder.metrics
        metrics.ready.set(state == .ok ? 1 : 0)
        metrics.clock.set(recorder.clock.now.seconds)
        let page = try await NIOThreadPool.singleton.runIfActive { metrics.page() }
        return Response(status: .ok, contentType: PrometheusMetrics.contentType, body: page)
    }
}
