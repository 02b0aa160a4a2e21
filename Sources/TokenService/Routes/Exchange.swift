import FleetToken
import HTTPServer
import HTTPTypes
import Logging
import ServiceSupport
import Telemetry
import TokenIssuance

/// One request and its response: the common parts of all responses, and the line in the access log.
///
/// A class, so that it is not part of the memory of a waiting task, which is allocated in blocks for each request.
final class Exchange {
    let request: Request
    let id: RequestID
    /// The trace that the request is part of, if any.
    let trace: TraceContext?
    /// The route, once it is known; never a path, which would have an ID in it.
    var route = RouteLabel.other
    /// The requested token, once the route is known and is one for tokens.
    var asked: AskedToken?
    /// The requested kind of token, if any.
    var kind: AskedKindLabel?

    /// The client, if the access log may name it.
    var client: Client?

    /// The response: an error until there is another.
    var response = Response(status: .internalServerError)

    /// The level of the line in the access log; nil for none.
    var logLevel: Logger.Level? = .info

    /// Why the request was refused, where it was.
    private var refusal: TokenError.Reason?
    /// The limit that was reached, if one was.
    private var limit: String?
    /// Why authentication failed, if it did.
    private var failure: AuthenticationFailure?
    private let method: MethodLabel
    private let start = ContinuousClock.now
    private let metrics: ServiceMetrics
    private let logger: Logger

    init(_ request: Request, isTrusted: Bool = false, metrics: ServiceMetrics, logger: Logger) {
        self.request = request
        id = RequestID(request.head.headerFields, isTrusted: isTrusted)
        trace = TraceContext(request.head.headerFields)
        method = MethodLabel(method: request.head.method.rawValue)
        self.metrics = metrics
        self.logger = logger
    }

    /// Names the authenticated caller, for the access log.
    @inline(never)
    func identify(_ caller: Caller) { client?.caller = caller.name }

    /// Responds with an error.
    @inline(never)
    func refuse(_ error: any Error) {
        guard !(error is CancellationError) else {
            abandon()
            return
        }
        let refusal = refusal(for: error)
        self.refusal = refusal.error.reason
        if let kind { metrics.denied[kind, DenialLabel(refusal.error.reason)].increment() }
        response = Response(refusal, requestID: id)
    }

    /// Ends a request whose client has gone: the response reaches no one, and 499 is what other servers log for it.
    private func abandon() {
        logLevel = .debug
        response = Response(status: .init(code: 499))
    }

    private func refusal(for error: any Error) -> Refusal {
        switch error {
        case let refusal as Refusal: return refusal
        case let limited as LimitedRefusal:
            if !limited.isListed { logLevel = nil }
            limit = limited.limit
            return Refusal(limited.refusal)
        case let unrecorded as UnrecordedRefusal:
            logLevel = nil
            return refusal(for: unrecorded.failure)
        case let failure as AuthenticationFailure:
            self.failure = failure
            return Refusal(failure.refusal)
        case let error as TokenError: return Refusal(error)
        default:
            // The caller learns nothing about internal errors. The log contains the text only of our own error types,
            // which contain no secrets; for others it contains the type.
            logger.error(
                "A request failed.",
                metadata: ["request_id": "\(id)", "error": "\(OperatorMessage(error))"]
            )
            return Refusal(
                TokenError(.internal, "Internal error. Retry later; if the error persists, contact the operator.")
            )
        }
    }

    /// Returns the response with the fields of every response and some more, and writes the access log.
    @inline(never)
    func finish(adding headers: HTTPFields = [:]) -> Response {
        if response.headers.isEmpty { response.headers = headers } else { response.headers.append(contentsOf: headers) }
        response.requestID = id
        response.omitsBody = method == .head
        let duration = start.duration(to: .now)
        metrics.requests[route, method, StatusLabel(status: response.status.code)].increment()
        metrics.requestDuration[route].record(duration)
        if let logLevel {
            logger.log(level: logLevel, "request", metadata: metadata(response.status.code, duration))
        }
        return response
    }

    /// Returns the line's attributes, named as in OpenTelemetry's conventions.
    ///
    /// There is no `url.path`, which contains an ID, and no `server.address`, which the client controls.
    private func metadata(_ status: Int, _ duration: Duration) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request_id": "\(id)",
            "http.request.method": "\(method.rawValue)",
            "http.route": "\(route.rawValue)",
            "http.response.status_code": .stringConvertible(status),
            "http.server.request.duration": .stringConvertible(duration / .seconds(1)),
        ]
        if let refusal { metadata["error.type"] = "\(refusal.rawValue)" }
        if let limit { metadata["fleet_token.limit"] = "\(limit)" }
        if let failure { metadata.merge(failure.metadata) { $1 } }
        if let client {
            metadata["client.address"] = "\(client.address)"
            if let caller = client.caller { metadata["fleet_token.caller"] = "\(caller)" }
        }
        if let trace {
            metadata["trace_id"] = "\(trace.traceID)"
            metadata["span_id"] = "\(trace.spanID)"
            metadata["trace_flags"] = "\(trace.flags)"
        }
        return metadata
    }
}

extension Exchange {
    /// The client of a request.
    struct Client {
        /// The address, as in limits and the audit trail.
        let address: String
        /// The authenticated caller's name in the configuration.
        var caller: String?
    }
}
