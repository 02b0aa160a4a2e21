import FleetEngineClient
import Foundation

/// Prints lines with the time since the demo began.
struct Console: Sendable {
    private let start = ContinuousClock.now

    func print(_ who: String, _ text: String) {
        let passed = (ContinuousClock.now - start) / .seconds(1)
        Swift.print(String(format: "%6.1f s  ", passed) + who.padding(toLength: 11, withPad: " ", startingAt: 0) + text)
        fflush(nil)
    }

    /// Returns the distance and the time to the vehicle's next stop.
    func distanceAndTime(_ trip: Trip) -> String {
        var parts: [String] = []
        if let meters = trip.activeRouteRemainingDistance { parts.append("\(meters) m") }
        if let eta = trip.etaToNextWaypoint { parts.append("\(max(0, Int(eta.timeIntervalSinceNow.rounded()))) s") }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ") + " away"
    }
}
