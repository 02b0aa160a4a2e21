import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests to Fleet Engine with tokens of the app.
struct EngineClient: Sendable {
    /// The maximum length of a response, in bytes.
    private static let maximumBody = 4 << 20

    let provider: String
    let configuration: FleetEngine.Configuration
    let token: FleetEngine.TokenSource

    /// Sends a request with a token; if the token is rejected, once more with a new one.
    ///
    /// - Returns: The body of the response.
    func send(_ request: EngineRequest) async throws(FleetEngineError) -> [UInt8] {
        let url = try EngineURL.make(request, provider: provider, configuration)
        var token = try await token(for: request.purpose, rejected: nil)
        var response = try await response(to: request, at: url, token)
        if response.status == 401 {
            token = try await self.token(for: request.purpose, rejected: token)
            response = try await self.response(to: request, at: url, token)
        }
        if let error = FleetEngineError(response, token: token) { throw error }
        return response.body
    }

    private func token(for purpose: TokenPurpose, rejected: String?) async throws(FleetEngineError) -> String {
        do {
            let token = try await token(purpose, rejected)
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw FleetEngineError(.invalidArgument, "The token is not visible ASCII.")
            }
            return token
        } catch let error as FleetEngineError {
            throw error
        } catch is CancellationError {
            throw FleetEngineError(.cancelled, "The request was cancelled.")
        } catch {
            let cause = error as NSError
            throw FleetEngineError(.unavailable, "No token: \(cause.domain) \(cause.code).")
        }
    }

    private func response(
        to request: EngineRequest,
        at url: URL,
        _ token: String
    ) async throws(FleetEngineError) -> EngineResponse {
        var urlRequest = URLRequest(url: url, timeoutInterval: configuration.timeout)
        urlRequest.httpMethod = request.method
        urlRequest.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        urlRequest.setValue("application/json", forHTTPHeaderField: "Accept")
        if let body = request.body {
            urlRequest.httpBody = Data(body)
            urlRequest.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        do {
            let (body, response) = try await configuration.transport(urlRequest)
            guard body.count <= Self.maximumBody else {
                throw FleetEngineError(.internal, "The response is too large.")
            }
            return EngineResponse(body, response as? HTTPURLResponse)
        } catch {
            throw FleetEngineError(transport: error)
        }
    }
}
