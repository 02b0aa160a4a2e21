import Foundation
import GoogleRidesharingDriver
import TokenProvider

/// Gives the Driver SDK its tokens: copy this file into the app.
///
/// A vehicle that transports riders and a delivery vehicle have different tokens: for riders, return `.vehicle(id)`.
nonisolated final class DriverAuthorization: NSObject, GMTDAuthorization, Sendable {
    let tokens: FleetTokenProvider

    init(_ tokens: FleetTokenProvider) { self.tokens = tokens }

    func fetchToken(with authorizationContext: GMTDAuthorizationContext?) async throws -> String {
        try await tokens.token(for: .deliveryVehicle(authorizationContext?.vehicleID ?? "")).text
    }
}
