import EngineCoding
import FleetToken

/// A vehicle that suits a search, with its way to the pickup point over the stops that it has before.
struct VehicleCandidate {
    let record: Fleet.VehicleRecord
    let straightDistance: Double
    private let type: String
    /// The distance to the pickup point, in metres.
    private let distance: Double
    private let eta: Timestamp
    /// The distance from the pickup point to the drop-off point; nil without one.
    private let ride: Double?
    private let waypoints: [Message]

    var vehicle: Message { record.vehicle }

    /// Creates a candidate; nil for a vehicle without a location.
    init?(_ record: Fleet.VehicleRecord, type: String, for search: Message, at now: Timestamp) {
        guard let here = record.vehicle.message("lastLocation")?.point("location"),
            let pickup = search.message("pickupPoint")?.point("point")
        else { return nil }
        self.record = record
        self.type = type
        straightDistance = Estimate.distance(here, pickup)
        var stops = [(point: here, time: now)]
        var (distance, time) = (0.0, now)
        if let journey = Journey(record.vehicle, at: now) {
            (distance, time) = (journey.distance, journey.eta)
            for (index, waypoint) in journey.waypoints.enumerated() {
                if index > 0 {
                    distance += waypoint.number("distanceMeters") ?? 0
                    time = waypoint.time("eta") ?? time
                }
                stops.append((waypoint.message("location")?.point("point") ?? here, time))
            }
        }
        let last = Estimate.distance(stops[stops.count - 1].point, pickup)
        self.distance = distance + last
        eta = time.adding(Estimate.duration(meters: last))
        ride = search.message("dropoffPoint")?.point("point").map { Estimate.distance(pickup, $0) }
        waypoints = (stops + [(pickup, eta)]).map { ["latLng": $0.point.json, "eta": .time($0.time)] }
    }

    /// Returns what matches are sorted by, the smallest first.
    func order(_ order: String) -> Double {
        switch order {
        case "PICKUP_POINT_ETA": eta.secondsSince1970
        case "DROPOFF_POINT_ETA": (dropoff ?? eta).secondsSince1970
        case "PICKUP_POINT_DISTANCE": distance
        // Google does not publish the weights: half and half, at the speed of the estimates.
        case "COST": eta.secondsSince1970 + Estimate.duration(meters: straightDistance)
        default: straightDistance
        }
    }

    /// Returns the match with the vehicle as it is answered.
    func match(_ vehicle: Message, _ search: Message) -> Message {
        [
            "vehicle": vehicle.json, "vehiclePickupEta": .time(eta), "vehiclePickupDistanceMeters": .meters(distance),
            "vehiclePickupStraightLineDistanceMeters": .meters(straightDistance),
            "vehiclePickupToDropoffDistanceMeters": ride.map(JSONValue.meters),
            "vehicleDropoffEta": dropoff.map(JSONValue.time),
            "tripType": .string(search.texts("tripTypes").first ?? ""), "vehicleTripsWaypoints": .list(waypoints),
            "vehicleMatchType": .string(type), "requestedOrderedBy": search["orderBy"], "orderedBy": search["orderBy"],
        ]
    }

    private var dropoff: Timestamp? { ride.map { eta.adding(Estimate.duration(meters: $0)) } }
}
