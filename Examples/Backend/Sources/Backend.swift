import AsyncHTTPClient
import Foundation
import Hummingbird
import TokenProvider

/// A fleet's backend: reports the position of 5,000 vehicles to Fleet Engine, each with a token of its own.
///
///     TOKEN_SERVER=http://127.0.0.1:8080 PORT=8000 swift run Backend
@main
enum Backend {
    /// How many tokens are fetched at the same time.
    private static let width = 64

    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let url = URL(string: environment["TOKEN_SERVER"] ?? "http://127.0.0.1:8080") else {
            fatalError("TOKEN_SERVER is not a URL.")
        }
        // The API key must not follow a redirect to another server.
        var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = width
        let http = HTTPClient(configuration: settings)
        let client = TokendClient(server: TokenServer(url), apiKey: environment["TOKEN_API_KEY"] ?? "", http: http)
        let tokens = FleetTokenProvider(fetch: client.fetch)

        let port = environment["PORT"].flatMap { Int($0) } ?? 8000
        var application = Application(
            router: routes(tokens),
            configuration: .init(address: .hostname("127.0.0.1", port: port))
        )
        application.beforeServerStarts { await fetchTokens(of: 5_000, from: tokens) }
        do {
            try await application.runService()
        } catch {
            try await http.shutdown()
            throw error
        }
        try await http.shutdown()
    }

    private static func routes(_ tokens: FleetTokenProvider) -> Router<BasicRequestContext> {
        let router = Router()
        router.put("vehicles/{id}/position") { _, context in
            do {
                return try await report(tokens.token(for: .vehicle(context.parameters.require("id"))))
            } catch let error as TokenProviderError {
                context.logger.warning("\(error)")
                switch error.code {
                case .invalidArgument: throw HTTPError(.badRequest, message: "This is not the ID of a vehicle.")
                default: throw HTTPError(error.remedy == .wait ? .serviceUnavailable : .badGateway)
                }
            }
        }
        return router
    }

    /// Fetches the vehicles' tokens before the first report; what fails is fetched again when it is needed.
    private static func fetchTokens(of vehicles: Int, from tokens: FleetTokenProvider) async {
        await withTaskGroup { group in
            for first in 1...width {
                group.addTask {
                    for number in stride(from: first, through: vehicles, by: width) {
                        _ = try? await tokens.token(for: .vehicle("vehicle-\(number)"))
                    }
                }
            }
        }
    }

    /// Here a real backend calls Fleet Engine, with `Authorization: Bearer \(token.text)`.
    private static func report(_ token: Token) async throws -> String {
        "Reported until \(token.expirationDate)"
    }
}
