import FleetEngineClient
import Foundation

/// Writes lines with the demo's time, and a progress bar below them on a terminal.
final class Console: Sendable {
    private let time: DemoTime
    private let isTerminal = isatty(1) != 0
    /// The progress bar, if one is shown.
    private let bar = Lock("")
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
        bar.withLock { bar in
            print(isTerminal && !bar.isEmpty ? "\r\u{1B}[K\(line)\n\(bar)" : line, terminator: bar.isEmpty ? "\n" : "")
            if !bar.isEmpty, !isTerminal { print() }
            flush()
        }
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

    func bar(_ share: Double, _ text: String) {
        guard isTerminal else { return }
        let full = Int(share * 40)
        let picture = String(repeating: "█", count: full) + String(repeating: "░", count: 40 - full)
        bar.withLock { bar in
            bar = "          \(picture) \(Int(share * 100)) % \(text)"
            print("\r\u{1B}[K\(bar)", terminator: "")
            flush()
        }
    }

    func endBar() {
        bar.withLock { bar in
            if !bar.isEmpty { print("\r\u{1B}[K", terminator: "") }
            bar = ""
            flush()
        }
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

    private func flush() {
        fflush(nil)
    }
}
