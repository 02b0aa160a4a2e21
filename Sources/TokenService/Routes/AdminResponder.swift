import FleetToken
import HTTPServer
import HTTPTypes
import Logging
import NIOPosix
import Telemetry

/// Responds on the admin listener, which operators' tools use and callers never reach.
struct AdminResponder: Responder {
    let hosts: HostPolicy
    /// The public keys' JSON as it is now.
    let keys: @Sendable () -> [UInt8]
    let readiness: Readiness
    let registry: PrometheusRegistry
    let lifecycle: Lifecycle
    let metrics: ServiceMetrics
    var now: @Sendable () -> NumericDate = { .now }
    let logger: Logger

    func respond(to request: Request) async -> Response {
        let exchange = Exchange(request, metrics: metrics, logger: logger)
        do {
            exchange.response = try await answer(request, exchange)
            // Probes and scrapes are frequent, and the metrics count them.
            exchange.logLevel = .debug
        } catch {
            exchange.refuse(error)
        }
        return exchange.finish()
    }

    private func answer(_ request: Request, _ exchange: Exchange) async throws -> Response {
        try hosts.check(request.head)
        let target = try RequestTarget(request.head.path ?? "")
        let path = "/" + target.segments.joined(separator: "/")
        let answer: () async -> Response
        switch RouteLabel(rawValue: path) {
        case .livez: answer = { Response(status: .ok, json: Self.ok) }
        case .readyz where lifecycle.isDraining:
            answer = { Response(status: .serviceUnavailable, json: Array(#"{"status":"draining"}"#.utf8)) }
        case .readyz: answer = { await ready(isVerbose: target.parameters.contains { $0.name == "verbose" }) }
        case .jwks: answer = { Response(status: .ok, json: keys()) }
        case .metrics: answer = page
        default: throw TokenError(.notFound, "Not found. Use /livez, /readyz or /metrics.")
        }
        exchange.route = RouteLabel(rawValue: path) ?? .other
        guard request.head.method == .get || request.head.method == .head else {
            throw Refusal.methodNotAllowed(allowed: "GET, HEAD")
        }
        return await answer()
    }

    private static let ok = Array(#"{"status":"ok"}"#.utf8)

    private func ready(isVerbose: Bool) async -> Response {
        let report = await readiness.report()
        let status: HTTPResponse.Status = report.isReady ? .ok : .serviceUnavailable
        guard isVerbose else {
            return Response(status: status, json: report.isReady ? Self.ok : Array(#"{"status":"unready"}"#.utf8))
        }
        return Response(
            status: status,
            contentType: "text/plain; charset=utf-8",
            body: Array(report.text.utf8)
        )
    }

    private func page() async -> Response {
        let isReady = lifecycle.isDraining ? false : await readiness.report().isReady
        metrics.ready.set(isReady ? 1 : 0)
        metrics.clock.set(Double(now().seconds))
        // Counting descriptors takes too long for an event loop.
        try? await NIOThreadPool.singleton.runIfActive { metrics.process?.update() }
        return Response(
            status: .ok,
            contentType: PrometheusRegistry.contentType,
            body: registry.render()
        )
    }
}
