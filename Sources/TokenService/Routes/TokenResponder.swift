import FleetToken
import HTTPServer
import HTTPTypes
import Logging
import NIOCore
import ServiceConfiguration
import StrictCoding
import Telemetry
import TokenIssuance
import TokenMinting

/// A request's way on the public listener, one straight line: host, route, caller, limit, request, then ``IssuancePipeline``
/// from grant to token, then the answer.
///
/// Each step is a type with one method; each refusal is an error that carries its status and reason.
///
/// A class, since each request begins with it: to copy all its parts would take longer than most of its steps.
final class TokenResponder: Responder {
    let hosts: HostPolicy
    let cors: CORSPolicy
    let addresses: ClientAddress
    /// Whether clients may authenticate with a certificate.
    let asksForCertificates: Bool
    let issuance: IssuancePipeline
    let alphabet: ResourceID.Alphabet
    let aliases: [ResponseAlias]
    /// The public keys' JSON, where they are published here.
    let keys: [UInt8]?
    /// The page at `/`, in development mode.
    let page: DevelopmentPage?
    let metrics: ServiceMetrics
    /// Whether the access log has the address and the caller of requests.
    let logsClients: Bool
    let logger: Logger

    init(
        hosts: HostPolicy,
        cors: CORSPolicy,
        addresses: ClientAddress,
        asksForCertificates: Bool,
        issuance: IssuancePipeline,
        alphabet: ResourceID.Alphabet,
        aliases: [ResponseAlias],
        keys: [UInt8]?,
        page: DevelopmentPage? = nil,
        metrics: ServiceMetrics,
        logsClients: Bool = true,
        logger: Logger
    ) {
        self.hosts = hosts
        self.cors = cors
        self.addresses = addresses
        self.asksForCertificates = asksForCertificates
        self.issuance = issuance
        self.alphabet = alphabet
        self.aliases = aliases
        self.keys = keys
        self.page = page
        self.metrics = metrics
        self.logsClients = logsClients
        self.logger = logger
    }

    func respond(to request: Request) async -> Response {
        let exchange = exchange(for: request)
        do {
            if exchange.trace == nil {
                try await answer(exchange)
            } else {
                try await answerInTrace(exchange)
            }
        } catch {
            exchange.refuse(error)
        }
        return finish(exchange)
    }

    @inline(never)
    private func answerInTrace(_ exchange: Exchange) async throws {
        try await TraceContext.$current.withValue(exchange.trace) { try await answer(exchange) }
    }

    @inline(never)
    private func answer(_ exchange: Exchange) async throws {
        let context = context(of: exchange)
        guard let caller = try await caller(of: exchange, context) else { return }
        try await issuance.limits.admit(caller)
        let (minted, now) = try await issuance.token(for: try wanted(exchange), caller, context)
        respond(with: minted, at: now, exchange)
    }

    /// Returns the authenticated caller of a request for a token; nil if the request is for something else.
    @inline(never)
    private func caller(of exchange: Exchange, _ context: RequestContext) async throws -> Caller? {
        do {
            guard try isForToken(exchange) else { return nil }
            let caller = try await issuance.caller(context)
            exchange.identify(caller)
            return caller
        } catch {
            throw await refuse(error, exchange, context)
        }
    }

    // The steps that rarely or never wait are not inlined into those that do: their variables would be part of the
    // task's memory, which is allocated for each request.

    @inline(never)
    private func exchange(for request: Request) -> Exchange {
        Exchange(request, isTrusted: addresses.isTrusted(request.peer), metrics: metrics, logger: logger)
    }

    @inline(never)
    private func finish(_ exchange: Exchange) -> Response {
        exchange.finish(adding: cors.headers(origin: exchange.request.head.headerFields[.origin]))
    }

    @inline(never)
    private func refuse(
        _ error: any Error,
        _ exchange: Exchange,
        _ context: RequestContext
    ) async -> any Error {
        await issuance.refuse(error, of: exchange.asked?.requested, context)
    }

    @inline(never)
    private func context(of exchange: Exchange) -> RequestContext {
        let request = exchange.request
        let context = RequestContext(
            head: request.head,
            certificateNames: asksForCertificates ? request.peer.certificate?.names(at: issuance.now()) ?? [] : [],
            address: addresses.of(request.peer, headers: request.head.headerFields),
            requestID: exchange.id.description,
            traceID: exchange.trace?.traceID
        )
        if logsClients { exchange.client = .init(address: context.address) }
        return context
    }

    /// Finds out what a request is for, from its host and route.
    ///
    /// - Returns: Whether it is for a token; otherwise it has its response.
    @inline(never)
    private func isForToken(_ exchange: Exchange) throws -> Bool {
        let request = exchange.request
        try hosts.check(request.head)
        if let response = page?.response(to: request.head) {
            exchange.logLevel = .debug
            exchange.response = response
            return false
        }
        let target = try RequestTarget(request.head.path ?? "")
        let route = try Route(method: request.head.method, target: target)
        exchange.route = route.label
        let asked: AskedToken
        switch route {
        case .options(let allowed):
            exchange.logLevel = .debug
            exchange.response = preflight(request, allowed: allowed)
            return false
        case .keys:
            try target.requireNoQuery()
            exchange.response = try publishedKeys()
            exchange.logLevel = .debug
            return false
        case .tokenByPath(let kind, let id):
            asked = AskedToken(kind: kind, id: id, parameters: target.parameters, alphabet: alphabet)
        case .tokenByKindAndBody(let kind): asked = AskedToken(kind: kind, target)
        case .tokenByBody: asked = AskedToken(kind: nil, target)
        }
        exchange.kind = asked.kind.map { .kind($0) } ?? .unknown
        exchange.asked = asked
        return true
    }

    /// Returns the validated request of an admitted caller.
    ///
    /// The body is read only now: it costs more than all previous steps.
    @inline(never)
    private func wanted(_ exchange: Exchange) throws -> TokenRequest {
        let request = exchange.request
        guard let asked = exchange.asked else { throw TokenError(.notFound, "Not found. No token was requested.") }
        let wanted = try asked.request(body: { () throws(TokenError) in try body(of: request) }, alphabet: alphabet)
        let allowsReuse = try Self.allowsReuse(request.head)
        exchange.kind = .kind(wanted.scope.kind)
        return allowsReuse ? wanted : wanted.requiringNewToken()
    }

    @inline(never)
    private func respond(with minted: MintedToken, at now: NumericDate, _ exchange: Exchange) {
        let response = minted.response(at: now)
        exchange.response = Response(
            status: .ok,
            json: response.encoded { writer in
                for alias in aliases { alias.write(response, to: &writer) }
            }
        )
    }

    private func body(of request: Request) throws(TokenError) -> [UInt8] {
        // Other types could come from a form on a web page, without a preflight request.
        guard request.head.headerFields[.contentType].map(Self.isJSON) ?? false else {
            throw TokenError(.unsupportedMediaType, "Send the body as JSON, with Content-Type: application/json.")
        }
        guard request.body.readableBytes <= ConnectionLimits.maximumBodySize else {
            throw TokenError(.bodyTooLarge, "The body is larger than 16 KiB.")
        }
        return Array(buffer: request.body)
    }

    /// Returns whether a reused token is acceptable: not if the caller reports that Fleet Engine rejected it.
    private static func allowsReuse(_ head: HTTPRequest) throws(TokenError) -> Bool {
        let values = head.headerFields[values: .fleetTokenReuse]
        guard let value = values.first else { return true }
        guard values.count == 1, value.hasSameBytes(as: "no") else {
            throw TokenError(
                .malformedRequest,
                "Fleet-Token-Reuse must be no, for a new token, or omitted."
            )
        }
        return false
    }

    /// Returns whether a media type is `application/json`, with any parameters (RFC 9110 section 8.3.1).
    private static func isJSON(_ field: String) -> Bool {
        field.utf8.prefix { $0 != UInt8(ascii: ";") }.isToken("application/json")
    }

    private func publishedKeys() throws -> Response {
        guard let keys else { throw TokenError(.notFound, "The public keys are on the admin listener.") }
        return Response(status: .ok, json: keys)
    }

    private func preflight(_ request: Request, allowed: String) -> Response {
        var headers = cors.preflightHeaders(origin: request.head.headerFields[.origin], allowed: allowed)
        headers[.allow] = allowed
        return Response(status: .noContent, headers: headers)
    }
}

extension HTTPField.Name {
    // A valid field name, spelled out here.
    // swift-format-ignore: NeverForceUnwrap
    static let fleetTokenReuse = Self("Fleet-Token-Reuse")!
}
