import FleetToken
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The admin listener: what an operator's tools ask, and no caller ever sees.
struct AdminResponder: HTTPResponder {
    /// The public keys' JSON.
    let keys: [UInt8]
    let registry: PrometheusRegistry
    let lifecycle: Lifecycle
    let metrics: ServiceMetrics
    let logger: Logger

    func respond(to request: Request, context: RequestContext) async -> Response {
        var exchange = Exchange(request.head, metrics: metrics, logger: logger)
        do {
            return exchange.finish(try answer(request, &exchange))
        } catch {
            return exchange.finish(exchange.refuse(error))
        }
    }

    private func answer(_ request: Request, _ exchange: inout Exchange) throws -> Response {
        let path = "/" + (try RequestTarget(request.head.path ?? "").segments.joined(separator: "/"))
        let answer: () -> Response
        switch RouteLabel(rawValue: path) {
        case .readyz where lifecycle.isDraining:
            answer = { Response(status: .serviceUnavailable, json: Array(#"{"status":"draining"}"#.utf8)) }
        case .livez, .readyz: answer = { Response(status: .ok, json: Array(#"{"status":"ok"}"#.utf8)) }
        case .jwks: answer = { Response(status: .ok, json: keys) }
        case .metrics: answer = page
        default: throw TokenError(.notFound, "There is nothing here. Ask for /livez, /readyz or /metrics.")
        }
        exchange.route = RouteLabel(rawValue: path) ?? .other
        guard request.method == .get || request.method == .head else {
            throw Refusal.methodNotAllowed(allowed: "GET, HEAD")
        }
        return answer()
    }

    private func page() -> Response {
        Response(
            status: .ok,
            headers: [.contentType: PrometheusRegistry.contentType],
            body: .init(byteBuffer: ByteBuffer(bytes: registry.render()))
        )
    }
}
