import CoreMetrics
import FleetToken
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TokenMinting

/// A request's way on the public listener, one straight line: host, route, request, then ``TokenIssuance`` from caller
/// to token, then the answer.
///
/// Each step is a type with one method; each refusal is an error that carries its status and reason.
struct TokenResponder: HTTPResponder {
    let hosts: HostPolicy
    let cors: CORSPolicy
    let addresses: ClientAddress
    /// Whether clients may say who they are with a certificate.
    let asksForCertificates: Bool
    let issuance: TokenIssuance
    let alphabet: ResourceID.Alphabet
    let aliases: [ResponseAlias]
    /// The public keys' JSON, where they are published here.
    let keys: [UInt8]?
    let metrics: ServiceMetrics
    let logger: Logger

    func respond(to request: Request, context: RequestContext) async -> Response {
        let isProxy = context.channel.remoteAddress?.ipAddress.map(addresses.isTrusted) ?? false
        var exchange = Exchange(request.head, isTrusted: isProxy, metrics: metrics, logger: logger)
        var response: Response
        do {
            response = try await TraceContext.$current.withValue(exchange.trace) {
                try await answer(request, context, &exchange)
            }
        } catch {
            response = exchange.refuse(error)
        }
        response.headers.append(contentsOf: cors.headers(origin: request.headers[.origin]))
        return exchange.finish(response)
    }

    private func answer(_ request: Request, _ context: RequestContext, _ exchange: inout Exchange) async throws
        -> Response
    {
        try hosts.check(request.head)
        let target = try RequestTarget(request.head.path ?? "")
        let route = try Route(method: request.method, target: target)
        exchange.route = route.label
        let asking = TokenIssuance.Asking(
            head: request.head,
            certificateNames: asksForCertificates ? await PeerCertificate.names(of: context.channel) : [],
            address: addresses.of(peer: context.channel.remoteAddress, headers: request.headers),
            requestID: exchange.id.description,
            traceID: exchange.trace?.traceID
        )
        switch route {
        case .options(let allowed): return preflight(request, allowed: allowed)
        case .keys: return try publishedKeys()
        case .tokenByPath(let kind, let id):
            exchange.kind = .kind(kind)
            let wanted = try TokenRequest(kind: kind, id: id, parameters: target.parameters, alphabet: alphabet)
            return try await token(wanted, for: asking, exchange)
        case .tokenByKindAndBody(let kind):
            exchange.kind = .kind(kind)
            let wanted = try TokenRequest(body: try await body(of: request), pathKind: kind, alphabet: alphabet)
            return try await token(wanted, for: asking, exchange)
        case .tokenByBody:
            exchange.kind = .unknown
            let wanted = try TokenRequest(body: try await body(of: request), alphabet: alphabet)
            exchange.kind = .kind(wanted.scope.kind)
            return try await token(wanted, for: asking, exchange)
        }
    }

    private func token(
        _ wanted: TokenRequest,
        for asking: TokenIssuance.Asking,
        _ exchange: Exchange
    ) async throws -> Response {
        let (minted, now) = try await issuance.token(for: wanted, asking)
        let response = minted.response(at: now)
        return Response(
            status: .ok,
            json: response.encoded { writer in
                for alias in aliases { alias.write(response, to: &writer) }
            }
        )
    }

    private func body(of request: Request) async throws -> [UInt8] {
        // Any other type could come from a page's form, without the browser asking first.
        guard request.headers[.contentType].flatMap(MediaType.init(from:))?.isType(.applicationJson) ?? false else {
            throw TokenError(.unsupportedMediaType, "Send the body as JSON, with Content-Type: application/json.")
        }
        do {
            return Array(buffer: try await request.body.collect(upTo: TokenRequest.maximumBodySize))
        } catch is NIOTooManyBytesError {
            throw TokenError(.bodyTooLarge, "The body is larger than 16 KiB.")
        }
    }

    private func publishedKeys() throws -> Response {
        guard let keys else { throw TokenError(.notFound, "The public keys are on the admin listener.") }
        return Response(status: .ok, json: keys)
    }

    private func preflight(_ request: Request, allowed: String) -> Response {
        var headers = cors.preflightHeaders(origin: request.headers[.origin], allowed: allowed)
        headers[.allow] = allowed
        return Response(status: .noContent, headers: headers)
    }
}
