import EngineCoding
import FleetEngineClient
import Foundation

/// Writes lines with the demo's time.
final class Console: Sendable {
    private let time: DemoTime
    private let times = Lock(Times())

    private struct Times: Sendable {
        var first: Double?
        var lastDetail = 0.0
    }

    init(_ time: DemoTime) {
        self.time = time
    }

    func say(_ who: String, _ text: String) {
        let now = time.now
        let passed = times.withLock { times in
            let first = times.first ?? now
            times.first = first
            return now - first
        }
        let line = String(format: "%6.1f s  ", passed) + who.padding(toLength: 11, withPad: " ", startingAt: 0) + text
        print(line)
        fflush(nil)
    }

    /// Says something that matters once in 30 seconds.
    func detail(_ who: String, _ text: String) {
        let now = time.now
        let isDue = times.withLock { times in
            guard now - times.lastDetail >= 30 else { return false }
            times.lastDetail = now
            return true
        }
        if isDue { say(who, text) }
    }

    /// What a rider wants to know: the distance and the time until the vehicle comes, or arrives.
    func outlook(_ trip: Trip) -> String {
        var parts: [String] = []
        if let meters = trip.activeRouteRemainingDistance { parts.append("\(meters) m") }
        if let eta = trip.etaToNextWaypoint {
            parts.append("\(max(0, Int(eta.timeIntervalSince(time.date).rounded()))) s")
        }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ") + " away"
    }
}
