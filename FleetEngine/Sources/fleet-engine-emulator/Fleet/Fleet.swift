import EngineCoding
import FleetToken

/// All resources, by their names, and what is needed to respond.
struct Fleet: Sendable {
    /// Trips as they were given, with the actual times that are known.
    var trips: [String: Message] = [:]
    /// Vehicles as they were reported, with the waypoints of their trips.
    var vehicles: [String: Message] = [:]
    var deliveryVehicles: [String: Message] = [:]
    var tasks: [String: Message] = [:]
}

extension Message {
    /// The resource's name.
    var name: String { text("name") }
    /// The resource's ID: the last part of its name.
    var id: String { name.resourceID }

    /// Checks that a terminal location or stop, if it is there, has a point.
    func checkPoint(_ name: String, _ field: String) throws(EngineError) {
        guard !has(name) || message(name)?.has("point") == true else {
            throw .missing("\(field).point", "must be set")
        }
    }

    /// Removes what only requests have.
    mutating func removeInputOnlyFields(_ table: Table) {
        for name in table.names(.input) { self[name] = nil }
    }

    /// Sets when a location was received.
    mutating func receiveLocation(at now: Timestamp) {
        guard var location = message("lastLocation") else { return }
        location["serverTime"] = .time(now)
        self["lastLocation"] = location.json
    }
}

extension Timestamp {
    /// Returns the version of a change: this time, or just after the previous version where the clock has not moved.
    ///
    /// In whole microseconds, which every client's type for a time can hold.
    func version(after previous: Self?) -> Self {
        let time = Self(seconds: seconds, nanoseconds: nanoseconds / 1000 * 1000)
        guard let previous else { return time }
        return max(time, Self(seconds: previous.seconds, nanoseconds: previous.nanoseconds + 1000))
    }
}
