import Foundation
import TokenProvider

/// Simulates vehicles that each need a token every second, as in a backend or a load test, against a `tokend`.
///
///     swift run FleetSimulator http://127.0.0.1:8080 20
///
/// The first argument is the server's URL, the second is the duration in seconds.
@main
enum FleetSimulator {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let server = URL(string: arguments.first ?? "http://127.0.0.1:8080") else {
            print("The first argument is the token server's URL.")
            return
        }
        let seconds = arguments.dropFirst().first.flatMap { Int($0) } ?? 10

        // One provider serves all vehicles: each has its own token, and no two fetches of one token run at once.
        let statistics = Statistics()
        let tokens = CachingTokenProvider(server: server, observer: { statistics.note($0) }) { _ in
            // A server in development mode needs no credentials; a production server needs those of this backend.
            ProcessInfo.processInfo.environment["FLEET_TOKEN_API_KEY"].map { ["X-API-Key": $0] } ?? [:]
        }

        await withTaskGroup { group in
            for number in 1...5 {
                group.addTask { await drive("vehicle-\(number)", seconds: seconds, tokens: tokens) }
            }
        }
        print(statistics)
    }

    /// Reports a vehicle's position once a second.
    private static func drive(_ name: String, seconds: Int, tokens: CachingTokenProvider) async {
        for _ in 0..<seconds {
            do {
                let token = try await tokens.token(for: .driver(vehicle: ResourceID(name)))
                try await reportPosition(of: name, token: token)
            } catch let error as TokenProviderError where error.recovery == .needsAction {
                print("\(name): \(error)")
                return
            } catch {
                print("\(name): \(error); goes on")
            }
            try? await Task.sleep(nanoseconds: 1_000_000_000)
        }
    }

    /// A real fleet calls Fleet Engine here, with `Authorization: Bearer …`.
    private static func reportPosition(of name: String, token: Token) async throws {
        print("\(name): reports with a token that lives until \(token.expirationDate)")
    }
}
