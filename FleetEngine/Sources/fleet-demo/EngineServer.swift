import FleetEngineClient
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fleet Engine as a backend uses it, without the client for apps.
struct EngineServer: Sendable {
    /// A request that apps do not send: the backend's, and those that must be refused.
    struct Request: Sendable {
        var method = "GET"
        /// The path below the provider.
        let path: String
        var query: [String: String] = [:]
        var body: String?
        let scope: DemoScope
    }

    /// Why Fleet Engine refused a request.
    struct Refusal: Error, CustomStringConvertible {
        let status: Int
        /// The name of the code, such as `PERMISSION_DENIED`.
        let code: String
        let message: String
        /// The emulator's rule, such as `CLAIM_MISMATCH`.
        let rule: String

        var description: String { "\(code): \(message)" }
    }

    private struct ErrorBody: Decodable {
        struct Status: Decodable {
            struct Detail: Decodable {
                let reason: String?
            }

            let status: String
            let message: String
            let details: [Detail]?
        }

        let error: Status
    }

    let address: String
    let tokens: DemoTokens
    let transport: FleetEngine.Configuration.Transport

    /// Sends a request, once more with another token if the first is rejected.
    ///
    /// - Throws: ``Refusal``, or why there is no answer.
    func send(_ request: Request) async throws {
        let token = try await tokens.token(for: request.scope, rejected: nil)
        do {
            try await send(request, token)
        } catch let refusal as Refusal where refusal.status == 401 {
            try await send(request, try await tokens.token(for: request.scope, rejected: token))
        }
    }

    private func send(_ request: Request, _ token: String) async throws {
        var components = URLComponents()
        components.path = "/v1/providers/demo-fleet/\(request.path)"
        components.queryItems = request.query.map { URLQueryItem(name: $0.key, value: $0.value) }
        guard let url = components.url(relativeTo: URL(string: "http://\(address)")) else { throw URLError(.badURL) }
        var urlRequest = URLRequest(url: url, timeoutInterval: 30)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0.utf8) }
        urlRequest.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        urlRequest.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (body, response) = try await transport(urlRequest)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status != 200 else { return }
        let error = try JSONDecoder().decode(ErrorBody.self, from: body).error
        throw Refusal(
            status: status,
            code: error.status,
            message: error.message,
            rule: error.details?.lazy.compactMap(\.reason).first ?? ""
        )
    }
}
