import FleetToken
import HTTPTypes
import ServiceSupport
import TokenIssuance

/// Responds on the public listener.
///
/// How it works: the host and the route of a request say what it is for, and ``TokenIssuer`` returns the ``Outcome`` of a
/// request for a token, from which ``ResponseRecorder`` makes the response:
///
///     Request ─► Route ─► Outcome ─► Response
final class TokenResponder: Responder {
    private let issuer: TokenIssuer
    private let recorder: ResponseRecorder
    private let readiness: Readiness
    /// The host names in requests; nil accepts all, for a service that knows its callers.
    private let hosts: HostPolicy?
    /// Returns the public keys' JSON, where they are published here.
    private let keys: (@Sendable () async throws -> [UInt8])?
    /// The page at `/`, in development mode.
    private let page: DevelopmentPage?

    init(
        issuer: TokenIssuer,
        recorder: ResponseRecorder,
        readiness: Readiness,
        hosts: HostPolicy? = nil,
        keys: (@Sendable () async throws -> [UInt8])? = nil,
        page: DevelopmentPage? = nil
    ) {
        (self.issuer, self.recorder, self.readiness) = (issuer, recorder, readiness)
        (self.hosts, self.keys, self.page) = (hosts, keys, page)
    }

    func respond(to request: Request) async -> Response {
        let call = request.call
        if let error = request.error { return recorder.response(to: call, error) }
        var label = HTTPMetrics.RouteLabel.other
        do {
            try hosts?.check(call.head)
            let route = try Route(request, hasPage: page != nil)
            label = route.label
            switch route {
            case .token(let routed):
                return recorder.response(to: call, at: label, await issuer.issue(routed, call))
            case .health: return recorder.response(to: call, at: label, await health())
            case .keys: return recorder.response(to: call, at: label, try await publishedKeys())
            case .page: return recorder.response(to: call, at: label, try developmentPage())
            case .options(let allowed):
                return recorder.response(to: call, at: label, preflight(call, allowed: allowed))
            }
        } catch {
            let refusal = error as? Refusal ?? .noTokenRequest(error)
            return recorder.response(to: call, at: label, await issuer.refuse(refusal, call))
        }
    }

    /// Says whether requests may be sent here, and nothing else: anyone can request it.
    private func health() async -> Response {
        let isReady = await readiness.report().state == .ok
        return Response(
            status: isReady ? .ok : .serviceUnavailable,
            json: Array(#"{"status":"\#(isReady ? "ok" : "unready")"}"#.utf8)
        )
    }

    private func publishedKeys() async throws -> Response {
        guard let keys else { throw TokenError(.notFound, "The public keys are on the admin listener.") }
        return Response(status: .ok, json: try await keys())
    }

    private func developmentPage() throws -> Response {
        guard let page else { throw TokenError.unknownPath }
        return page.response
    }

    private func preflight(_ call: IncomingCall, allowed: String) -> Response {
        let origin = call.head.headerFields[.origin]
        var headers = recorder.cors?.preflightHeaders(origin: origin, allowed: allowed) ?? [:]
        headers[.allow] = allowed
        return Response(status: .noContent, headers: headers)
    }
}
