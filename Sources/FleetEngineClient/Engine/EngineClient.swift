import FleetToken
import Foundation
import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests to Fleet Engine with the tokens of a provider of tokens.
struct EngineClient: Sendable {
    let provider: ResourceID
    let tokens: any TokenProviding
    /// The timers, clock and randomness of following and reporting.
    let environment: ProviderEnvironment
    let server: Result<ServerURL, FleetEngineError>
    let sender: HTTPSender

    /// Sends a request with a token; if the token is rejected, once more with a new one.
    ///
    /// - Returns: The body of the response.
    func send(_ request: EngineRequest) async throws(FleetEngineError) -> [UInt8] {
        let server = try server.get()
        var token = try await token(for: request.scope)
        var answer = try await answer(of: server, request, token)
        if answer.status == 401 {
            tokens.invalidate(token)
            token = try await self.token(for: request.scope)
            answer = try await self.answer(of: server, request, token)
            // Its successor would be rejected as well, and the token provider slows down: the next request asks it.
            if answer.status == 401 { tokens.invalidate(token) }
        }
        if let error = FleetEngineError(answer, token: token) { throw error }
        return answer.body
    }

    private func token(for scope: TokenScope) async throws(FleetEngineError) -> Token {
        do {
            return try await tokens.token(for: scope)
        } catch let error as TokenProviderError {
            throw FleetEngineError(token: error)
        } catch {
            throw FleetEngineError(transport: error)
        }
    }

    private func answer(
        of server: ServerURL,
        _ request: EngineRequest,
        _ token: Token
    ) async throws(FleetEngineError) -> TransferResponse {
        let segments = ["v1", "providers", provider.rawValue] + request.path
        guard let url = server.url(segments: segments, query: request.query) else {
            throw FleetEngineError(.invalidArgument, "The request's path is not usable.")
        }
        do {
            return try await sender.send(request.urlRequest(url, token: token))
        } catch {
            throw FleetEngineError(transport: error)
        }
    }
}

/// A request to Fleet Engine, without the server and the token.
struct EngineRequest: Sendable {
    var method = "GET"
    /// The path below the provider, as segments that are not yet encoded.
    var path: [String]
    /// The query's parameters, not yet encoded.
    var query: [(name: String, value: String)] = []
    /// The body, in JSON.
    var body: [UInt8]?
    /// The scope of the token.
    var scope: TokenScope

    func urlRequest(_ url: URL, token: Token) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(token.authorizationHeader, forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let body {
            request.httpBody = Data(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}
