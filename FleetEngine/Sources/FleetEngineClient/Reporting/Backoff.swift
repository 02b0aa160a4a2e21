import Foundation

/// The pauses between attempts in Google's published client configuration (`fleetengine_grpc_service_config.json`).
enum Backoff {
    static let maximumAttempts = 5
    private static let multiplier = 1.3

    /// Returns the pause after a number of failed attempts; half of it is random, which spreads clients.
    static func pause(_ failures: Int, random: Double) -> Seconds {
        let limit = pow(multiplier, Double(failures - 1))
        return limit / 2 + limit / 2 * random
    }
}
