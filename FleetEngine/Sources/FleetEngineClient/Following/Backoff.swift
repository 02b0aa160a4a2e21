/// The pauses between attempts in Google's published client configuration (`fleetengine_grpc_service_config.json`).
enum Backoff {
    static let maximumAttempts = 5
    private static let initial: Seconds = 1
    private static let maximum: Seconds = 10
    private static let multiplier = 1.3

    /// Returns the pause after a number of consecutive failures; half of it is random, which spreads clients.
    static func pause(_ failures: Int, _ random: Double) -> Seconds {
        var limit = initial
        for _ in 1..<min(max(failures, 1), 20) { limit = min(limit * multiplier, maximum) }
        return limit / 2 + limit / 2 * random
    }
}
