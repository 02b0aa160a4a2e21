import FleetToken
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TokenMinting

/// A request's way on the public listener, one straight line: route, caller, grant, minter, answer.
///
/// Each step is a type with one method; each refusal is an error that carries its status and reason.
struct TokenResponder: HTTPResponder {
    let hosts: HostPolicy
    let cors: CORSPolicy
    let authenticator: any Authenticator
    let authorizer: any Authorizer
    let minter: TokenMinter
    /// The public keys' JSON, where they are published here.
    let keys: [UInt8]?
    let alphabet: ResourceID.Alphabet
    let now: @Sendable () -> NumericDate
    let logger: Logger

    func respond(to request: Request, context: RequestContext) async -> Response {
        var exchange = Exchange(request.head, logger: logger)
        var response: Response
        do {
            response = try await answer(request, &exchange)
        } catch {
            response = exchange.refuse(error)
        }
        response.headers.append(contentsOf: cors.headers(origin: request.headers[.origin]))
        return exchange.finish(response)
    }

    private func answer(_ request: Request, _ exchange: inout Exchange) async throws -> Response {
        try hosts.check(request.head)
        let target = try RequestTarget(request.head.path ?? "")
        let route = try Route(method: request.method, target: target)
        exchange.route = route.template
        switch route {
        case .options(let allowed): return preflight(request, allowed: allowed)
        case .keys: return try publishedKeys()
        case .tokenByPath(let kind, let id):
            let parameters = target.parameters
            return try await token(
                try TokenRequest(kind: kind, id: id, parameters: parameters, alphabet: alphabet),
                for: request
            )
        case .tokenByKindAndBody(let kind):
            let body = try await body(of: request)
            return try await token(try TokenRequest(body: body, pathKind: kind, alphabet: alphabet), for: request)
        case .tokenByBody:
            let body = try await body(of: request)
            return try await token(try TokenRequest(body: body, alphabet: alphabet), for: request)
        }
    }

    private func token(_ wanted: TokenRequest, for request: Request) async throws -> Response {
        let caller = try await authenticator.caller(of: request.head, certificateNames: [])
        _ = try await authorizer.authorize(caller, for: wanted.scope, requestID: "")
        let now = now()
        let minted = try await minter.mint(wanted.scope, lifetime: wanted.lifetime, now: now)
        return Response(status: .ok, json: minted.response(at: now).encoded())
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
