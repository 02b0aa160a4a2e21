import FleetEngineClient
import Foundation
import TokenProvider

/// Follows a trip to its end, with tokens of a `tokend` and an emulator of Fleet Engine.
///
///     swift run TripFollower http://127.0.0.1:8080 127.0.0.1:9190 demo-fleet trip-1
///
/// The arguments are the token server, the emulator, the provider's ID and the trip's ID.
@main
enum TripFollower {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let server = URL(string: arguments[1]) else {
            print("The arguments are the token server's URL, the emulator's address, the provider's and the trip's ID.")
            return
        }
        var tokenServer = TokenServer(server)
        tokenServer.allowsInsecureHTTP = true
        let tokens = FleetTokenProvider(tokenServer) { _ in [:] }
        let engine = FleetEngine(
            provider: arguments[3],
            configuration: FleetEngine.Configuration(emulatorHost: arguments[2])
        ) { _, rejected in
            if let rejected { tokens.invalidate(.trip(arguments[4]), rejected: Token(rejected)) }
            do {
                return try await tokens.token(for: .trip(arguments[4])).text
            } catch let error as TokenProviderError {
                let code: FleetEngineError.Code = error.remedy == .wait ? .unavailable : .unauthenticated
                throw FleetEngineError(code, "No token: \(error.message)", retryAfter: error.retryAfter)
            }
        }
        for await event in engine.updates(ofTrip: arguments[4]) {
            switch event {
            case .state(let state): print("Following is \(state).")
            case .updated(let trip): print(describe(trip))
            case .failed(let error): print(error.needsAction ? "\(error) This needs action." : "\(error)")
            case .recovered: print("Following has recovered.")
            }
        }
    }

    private static func describe(_ trip: Trip) -> String {
        let distance = trip.activeRouteRemainingDistance.map { ", \($0) m to the next stop" } ?? ""
        return "The trip is \(trip.tripStatus)\(distance)."
    }
}
