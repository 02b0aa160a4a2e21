import AsyncHTTPClient
import Foundation
import TokenProvider

/// Fetches tokens from a token server with AsyncHTTPClient.
struct TokendClient: Sendable {
    let server: TokenServer
    let apiKey: String
    let http: HTTPClient

    func fetch(_ request: TokenRequest) async throws -> Token {
        let route = try server.request(server.url, request)
        var get = HTTPClientRequest(url: route.url?.absoluteString ?? "")
        get.headers.add(contentsOf: (route.allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) })
        get.headers.add(name: "X-API-Key", value: apiKey)
        let response = try await http.execute(get, timeout: .seconds(10))
        let status = Int(response.status.code)
        guard status == 200 else {
            let code: TokenProviderError.Code =
                switch status {
                // The API key is the operator's: no user can sign in.
                case 401, 403: .permissionDenied
                case 429: .resourceExhausted
                case 400..<500: .invalidArgument
                default: .unavailable
                }
            let retryAfter = response.headers.first(name: "Retry-After").flatMap(TimeInterval.init)
            throw TokenProviderError(code, "HTTP status \(status)", retryAfter: retryAfter, httpStatus: status)
        }
        return try server.decode(Data(try await response.body.collect(upTo: 65_536).readableBytesView))
    }
}
