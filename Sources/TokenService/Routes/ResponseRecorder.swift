import FleetToken
import HTTPTypes
import Logging
import ServiceSupport
import TokenIssuance
import TokenMinting

/// Turns the end of each request into its response, its metrics and its line in the access log.
///
/// Nothing else counts or logs requests.
struct ResponseRecorder: Sendable {
    /// A request's method; those that no route has are one, `_OTHER`, as in OpenTelemetry's conventions.
    enum MethodLabel: String {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case options = "OPTIONS"
        case other = "_OTHER"

        /// Creates the label for a method's name, which is case-sensitive.
        init(method: String) {
            self = Self(rawValue: method) ?? .other
        }
    }

    let clock: ServiceClock
    let metrics: ServiceMetrics
    let logger: Logger
    /// The pages that may read the responses; nil where no page reads any.
    var cors: CORSPolicy?
    /// Whether the access log has the paths of requests, and so IDs: in development.
    var logsPaths = false

    /// Returns the response with the outcome of a request.
    func response(to call: IncomingCall, at route: HTTPMetrics.RouteLabel, _ outcome: Outcome) -> Response {
        if route.isForTokens { metrics.requests.count(outcome) }
        switch outcome.ending {
        case .issued(let token, let time, _):
            return finish(response(with: token, at: time), to: call, at: route, level: .info, outcome: outcome)
        case .refused(let refusal, let isRecorded):
            // The caller learns nothing about internal errors. The log contains the text only of our own error types,
            // which contain no secrets; for others it contains the type.
            if let cause = refusal.cause {
                var metadata: Logger.Metadata = ["error": "\(OperatorMessage(cause))"]
                metadata[.requestID] = "\(call.id)"
                logger.error("A request failed.", metadata: metadata)
            }
            let level: Logger.Level = refusal.decision?.hasWebhookFault == true ? .warning : .info
            return finish(
                Response(refusal, requestID: call.id),
                to: call,
                at: route,
                level: isRecorded ? level : nil,
                outcome: outcome
            )
        }
    }

    /// Returns the response to a request that is malformed or incomplete.
    func response(to call: IncomingCall, _ error: TokenError) -> Response {
        response(to: call, at: .other, Response(Refusal.noTokenRequest(error), requestID: call.id))
    }

    /// Returns a response that has nothing to do with tokens, such as that to a health check.
    ///
    /// Such requests are frequent, and the metrics count them. A line in the access log is for debugging only.
    func response(to call: IncomingCall, at route: HTTPMetrics.RouteLabel, _ response: Response) -> Response {
        finish(response, to: call, at: route, level: .debug)
    }

    private func response(with token: MintedToken, at time: NumericDate) -> Response {
        Response(status: .ok, json: token.response(at: time).encoded())
    }

    /// Adds the fields of every response, counts it, and writes the access log, unless `level` is nil.
    private func finish(
        _ response: Response,
        to call: IncomingCall,
        at route: HTTPMetrics.RouteLabel,
        level: Logger.Level?,
        outcome: Outcome? = nil
    ) -> Response {
        var response = response
        if let headers = cors?.headers(origin: call.head.headerFields[.origin]) {
            if response.headers.isEmpty {
                response.headers = headers
            } else {
                response.headers.append(contentsOf: headers)
            }
        }
        response.requestID = call.id
        response.omitsBody = call.head.method == .head
        let (status, duration) = (response.status.code, clock.duration(since: call.start))
        metrics.http.count(status, at: route, after: duration)
        if let level, logger.logLevel <= level {
            var metadata = Logger.Metadata(minimumCapacity: 8)
            metadata[.httpRequest] = [
                "requestMethod": "\(MethodLabel(method: call.head.method.rawValue).rawValue)",
                "requestUrl": "\((logsPaths ? call.head.path : nil) ?? route.rawValue)",
                "status": .stringConvertible(status),
                "latency": "\(duration.decimalSeconds)",
            ]
            call.describe(in: &metadata)
            outcome?.describe(in: &metadata)
            logger.log(level: level, "request", metadata: metadata)
        }
        return response
    }
}

extension Response {
    /// Creates a response with a JSON body.
    init(status: HTTPResponse.Status, json: [UInt8], headers: HTTPFields = [:]) {
        self.init(status: status, contentType: "application/json", headers: headers, body: json)
    }
}

extension Duration {
    /// The form of durations in Google's JSON, to microseconds: `0.012345s`.
    fileprivate var decimalSeconds: String {
        let microseconds = Int64(self / .microseconds(1))
        let fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        return "\(microseconds / 1_000_000).\(fraction)s"
    }
}

extension IncomingCall {
    fileprivate func describe(in metadata: inout Logger.Metadata) {
        metadata[.requestID] = "\(id)"
        if let trace { metadata[.traceID] = "\(trace.traceID)" }
    }
}

extension Outcome {
    fileprivate func describe(in metadata: inout Logger.Metadata) {
        if let refusal { metadata.merge(refusal.metadata) { $1 } }
        if let caller { metadata[.caller] = "\(caller.name)" }
    }
}
