import FleetToken
import Synchronization

/// Points in time, one after the other; the last one stays.
final class Times: Sendable {
    private let times: Mutex<[NumericDate]>

    init(_ times: [NumericDate]) {
        self.times = Mutex(times)
    }

    func next() -> NumericDate {
        times.withLock { times in
            if times.count > 1 { return times.removeFirst() }
            return times.first ?? NumericDate(seconds: 0)
        }
    }
}
