import AsyncHTTPClientTransport
import Foundation
import Hummingbird
import TokenProvider

/// A fleet's backend: reports the position of 5,000 vehicles to Fleet Engine, each with a token of its own.
///
///     TOKEN_SERVER=http://127.0.0.1:8080 PORT=8000 swift run Backend
@main
enum Backend {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let server = URL(string: environment["TOKEN_SERVER"] ?? "http://127.0.0.1:8080") else {
            fatalError("TOKEN_SERVER is not a URL.")
        }
        var configuration = CachingTokenProvider.Configuration()
        configuration.capacity = 5_000
        // On Linux, a token server that crashes must not end this process.
        configuration.http.transport = .asyncHTTPClient()
        let tokens = CachingTokenProvider(server: server, configuration: configuration) { _ in
            environment["TOKEN_API_KEY"].map { ["X-API-Key": $0] } ?? [:]
        }
        // Fetches them 32 at a time; calls that wait for one go first.
        tokens.prefetch(try (1...5_000).map { .driver(vehicle: try ResourceID("vehicle-\($0)")) })

        let router = Router()
        router.put("vehicles/{id}/position") { _, context in
            let token: Token
            do {
                token = try await tokens.token(for: .driver(vehicle: ResourceID(context.parameters.require("id"))))
            } catch let error as TokenProviderError {
                context.logger.warning("\(error)")
                throw HTTPError(!error.needsAction ? .serviceUnavailable : .badGateway)
            } catch is TokenError {
                throw HTTPError(.badRequest, message: "This is not the ID of a vehicle.")
            }
            return try await report(token)
        }
        let port = environment["PORT"].flatMap { Int($0) } ?? 8000
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
    }

    /// Here a real backend calls Fleet Engine, with `Authorization: \(token.authorizationHeader)`.
    private static func report(_ token: Token) async throws -> String {
        "Reported until \(token.expirationDate)"
    }
}
