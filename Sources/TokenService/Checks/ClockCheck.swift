import FleetToken
import ServiceSupport
import Synchronization

/// Sends requests, and compares this machine's clock with those of the servers that respond.
final class ClockCheck: OutgoingHTTP {
    /// The clock difference that needs no warning, in seconds.
    static let tolerance: Int64 = 30
    /// How far this clock may be ahead before Google refuses tokens, in seconds: their `exp` may be an hour ahead at most.
    static let limit: Int64 = 3600 - TokenLifetime.allowed.upperBound

    private struct Reading {
        let host: String
        /// By how many seconds this machine is ahead.
        let offset: Int64
        /// The duration of the request, which bounds the error, in seconds.
        let uncertainty: Int64
    }

    private let http: any OutgoingHTTP
    private let clock: ServiceClock
    private let best = Mutex<Reading?>(nil)

    init(_ http: any OutgoingHTTP, clock: ServiceClock) {
        self.http = http
        self.clock = clock
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse {
        let start = clock.now
        let response = try await http.send(request)
        // The metadata server's clock is this machine's host's.
        if response.headers["metadata-flavor"] == nil {
            note(response.headers["date"], age: response.headers["age"], of: request.url, start)
        }
        return response
    }

    /// Records a `Date`; an `Age` is the time that a cache has stored the response.
    private func note(_ date: String?, age: String?, of url: String, _ start: NumericDate) {
        guard let date = date.flatMap(HTTPDate.parse) else { return }
        let end = clock.now
        let midway = start + (end - start) / 2
        let reading = Reading(
            host: String(url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""),
            offset: midway - (date + (age.flatMap { Int64($0) } ?? 0)),
            uncertainty: end - start
        )
        best.withLock { best in
            if reading.uncertainty < best?.uncertainty ?? .max { best = reading }
        }
    }

    func finding() -> Finding {
        guard let reading = best.withLock({ $0 }) else {
            return Finding(.warn, subject: "clock", "The clock was not checked: no server answered with a Date.")
        }
        let seconds = reading.offset.magnitude
        let text =
            seconds <= 1
            ? "The clock agrees with that of \(reading.host)."
            : "The clock is \(seconds) seconds \(reading.offset > 0 ? "ahead of" : "behind") that of \(reading.host)."
        let fix = "Synchronize it: timedatectl set-ntp true"
        // Behind, a token has expired when it is issued.
        if reading.offset > Self.limit || reading.offset <= -TokenLifetime.allowed.upperBound {
            return Finding(.fail, subject: "clock", "\(text) Google refuses such tokens. \(fix)")
        }
        return seconds > Self.tolerance
            ? Finding(.warn, subject: "clock", "\(text) \(fix)") : Finding(.ok, subject: "clock", text)
    }
}
