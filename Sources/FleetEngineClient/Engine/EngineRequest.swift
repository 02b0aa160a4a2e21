package import FleetToken
import Foundation
import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request to Fleet Engine, without the server and the token.
package struct EngineRequest: Sendable {
    var method = "GET"
    /// The path below the provider, as segments that are not yet encoded.
    var path: [String]
    /// The query's parameters, not yet encoded.
    var query: [(name: String, value: String)] = []
    /// The body, in JSON.
    var body: [UInt8]?
    /// The scope of the token.
    var scope: TokenScope

    package init(
        method: String = "GET",
        path: [String],
        query: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        scope: TokenScope
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.scope = scope
    }

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
