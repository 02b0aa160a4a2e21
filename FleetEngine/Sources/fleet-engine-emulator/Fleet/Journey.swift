import SwiftProtobuf

/// The remaining journey of a vehicle: what its device reported, with estimates for the rest.
struct Journey {
    /// The path to the first waypoint.
    let route: [ProtoLatLng]
    /// The traffic on it.
    let traffic: ProtoConsumableTrafficPolyline?
    /// The distance to the first waypoint, in metres.
    let distance: Double
    /// When the vehicle is at the first waypoint.
    let eta: Timestamp
    /// The waypoints, with the way to each.
    let waypoints: [ProtoTripWaypoint]

    /// Creates the journey of a vehicle; nil without waypoints or without a location.
    init?(_ vehicle: ProtoVehicle, at now: Timestamp) {
        guard let first = vehicle.waypoints.first, vehicle.hasLastLocation else { return nil }
        let here = vehicle.lastLocation.location
        let decoded = vehicle.currentRouteSegment.isEmpty ? nil : Polyline.decode(vehicle.currentRouteSegment)
        route = decoded.flatMap { $0.isEmpty ? nil : $0 } ?? [here, first.location.point]
        traffic =
            vehicle.hasCurrentRouteSegmentTraffic
            ? ProtoConsumableTrafficPolyline(vehicle.currentRouteSegmentTraffic, along: route) : nil
        // What was reported is about the segment.
        let hasSegment = !vehicle.currentRouteSegment.isEmpty
        distance =
            hasSegment && vehicle.hasRemainingDistanceMeters
            ? Double(vehicle.remainingDistanceMeters.value) : Estimate.distance(here, first.location.point)
        eta =
            hasSegment && vehicle.hasEtaToFirstWaypoint
            ? vehicle.etaToFirstWaypoint : now.adding(Estimate.duration(meters: distance))
        waypoints = Self.ways(vehicle.waypoints, from: eta)
    }

    /// Returns waypoints with the way and the time to each but the first, whose are those of the route.
    private static func ways(_ waypoints: [ProtoTripWaypoint], from eta: Timestamp) -> [ProtoTripWaypoint] {
        var time = eta
        var last: ProtoLatLng?
        return waypoints.map { waypoint in
            var waypoint = waypoint
            let point = waypoint.location.point
            if let last {
                let meters = Estimate.distance(last, point)
                let duration = Estimate.duration(meters: meters)
                time = time.adding(duration)
                waypoint.pathToWaypoint = [last, point]
                waypoint.distanceMeters = .init(meters: meters)
                waypoint.duration = .init(secondsRounded: duration)
                waypoint.eta = time
            }
            last = point
            return waypoint
        }
    }
}

extension ProtoConsumableTrafficPolyline {
    /// Creates the traffic of a path from stretches in metres, as a device reports it.
    init(_ data: ProtoTrafficPolylineData, along path: [ProtoLatLng]) {
        self.init()
        var distances = [0.0]
        for (a, b) in zip(path, path.dropFirst()) { distances.append((distances.last ?? 0) + Estimate.distance(a, b)) }
        let last = max(0, path.count - 1)
        func append(_ range: ClosedRange<Int>, _ speed: ProtoSpeedReadingInterval.Speed) {
            guard range.lowerBound < range.upperBound else { return }
            speedReadingInterval.append(
                .with {
                    $0.startPolylinePointIndex = Int32(range.lowerBound)
                    $0.endPolylinePointIndex = Int32(range.upperBound)
                    $0.speed = speed
                }
            )
        }
        var done = 0
        for stretch in data.trafficRendering.roadStretch.sorted(by: { $0.offsetMeters < $1.offsetMeters }) {
            let (from, to) = (Double(stretch.offsetMeters), Double(stretch.offsetMeters) + Double(stretch.lengthMeters))
            let start = max(done, distances.lastIndex { $0 <= from } ?? 0)
            let end = max(start, distances.firstIndex { $0 >= to } ?? last)
            append(done...start, .normal)
            append(start...end, stretch.style == .trafficJam ? .trafficJam : .slow)
            done = end
        }
        append(done...max(done, last), .normal)
    }
}
