import FleetEngineClient
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fleet Engine as a backend uses it, without the client for apps.
struct EngineServer: Sendable {
    let address: String
    let tokens: DemoTokens

    /// Sends a request, once more with another token if the first is rejected.
    ///
    /// - Throws: ``Refusal``, or why there is no answer.
    func send(_ request: EngineRequest) async throws {
        let token = try await tokens.token(for: request.scope, rejected: nil)
        do {
            try await send(request, token)
        } catch let refusal as Refusal where refusal.status == 401 {
            try await send(request, try await tokens.token(for: request.scope, rejected: token))
        }
    }

    private func send(_ request: EngineRequest, _ token: String) async throws {
        var components = URLComponents()
        components.path = (["", "v1", "providers", "demo-fleet"] + request.path).joined(separator: "/")
        components.queryItems = request.query.map { URLQueryItem(name: $0.name, value: $0.value) }
        guard let url = components.url(relativeTo: URL(string: "http://\(address)")) else { throw URLError(.badURL) }
        var urlRequest = URLRequest(url: url, timeoutInterval: 30)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0.utf8) }
        urlRequest.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        urlRequest.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (body, response) = try await URLSession.shared.response(to: urlRequest)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status != 200 else { return }
        let error = try JSONDecoder().decode(ErrorBody.self, from: body).error
        throw Refusal(
            status: status,
            code: error.status,
            message: error.message,
            rule: error.details?.lazy.compactMap(\.reason).first ?? ""
        )
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
}

extension URLSession {
    /// Sends a request, which continues if the task is cancelled.
    ///
    /// On Linux, to cancel it while its response arrives can deadlock (swift-corelibs-foundation, issue 5412): the cancellation
    /// waits for the session's queue with a lock of the task's, for which the queue waits when it resumes the task. So the
    /// request runs in a task of its own, which is never cancelled.
    func response(to request: URLRequest) async throws -> (Data, URLResponse) {
        try await Task { try await data(for: request) }.value
    }
}
