import FleetToken
import HTTPServer
import HTTPTypes
import ServiceSupport
import TokenIssuance

/// Responds on the public listener.
///
/// How it works: a request becomes an ``IncomingCall``, its host and route say what it is for, and
/// ``IssuancePipeline`` returns the ``Outcome`` of a request for a token, from which ``ResponseRecorder`` makes the response:
///
///     Request ─► IncomingCall, Route ─► Outcome ─► Response
struct TokenResponder: Responder {
    let hosts: HostPolicy
    var trustedProxies: [AddressRange] = []
    let issuance: IssuancePipeline
    /// Returns the public keys' JSON, where they are published here.
    var keys: (@Sendable () async throws -> [UInt8])?
    /// The page at `/`, in development mode.
    var page: DevelopmentPage?
    let recorder: ResponseRecorder

    func respond(to request: Request) async -> Response {
        let call = call(request)
        var label = RouteLabel.other
        do {
            try hosts.check(request.head)
            if let page = page?.response(to: request.head) { return recorder.response(to: call, at: label, page) }
            let route = try Route(request)
            label = route.label
            switch route {
            case .token(let unread): return recorder.response(to: call, at: label, await outcome(of: unread, call))
            case .keys: return recorder.response(to: call, at: label, try await publishedKeys())
            case .options(let allowed):
                return recorder.response(to: call, at: label, preflight(request, allowed: allowed))
            }
        } catch {
            return recorder.response(to: call, at: label, await issuance.refuse(error, call))
        }
    }

    /// Returns the outcome of a request for a token; its webhooks are called in its trace.
    private func outcome(of unread: UnreadRequest, _ call: IncomingCall) async -> Outcome {
        guard let trace = call.trace else { return await issuance.outcome(of: unread, call) }
        return await TraceContext.$current.withValue(trace) { await issuance.outcome(of: unread, call) }
    }

    private func call(_ request: Request) -> IncomingCall {
        IncomingCall(
            request.head,
            at: recorder.clock.monotonic,
            from: request.peer.client(behind: trustedProxies, request.head.headerFields),
            isTrusted: request.peer.isTrusted(by: trustedProxies),
            onAuthentication: request.place.flatMap { $0.isAuthenticated ? nil : $0.authenticate }
        )
    }

    private func publishedKeys() async throws -> Response {
        guard let keys else { throw TokenError(.notFound, "The public keys are on the admin listener.") }
        return Response(status: .ok, json: try await keys())
    }

    private func preflight(_ request: Request, allowed: String) -> Response {
        let origin = request.head.headerFields[.origin]
        var headers = recorder.cors?.preflightHeaders(origin: origin, allowed: allowed) ?? [:]
        headers[.allow] = allowed
        return Response(status: .noContent, headers: headers)
    }
}
