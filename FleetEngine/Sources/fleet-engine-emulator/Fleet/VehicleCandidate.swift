import SwiftProtobuf

/// A vehicle that suits a search, with its way to the pickup point over the stops that it has before.
struct VehicleCandidate {
    let name: String
    let straightDistance: Double
    private let type: ProtoVehicleMatch.VehicleMatchType
    /// The distance to the pickup point, in metres.
    private let distance: Double
    private let eta: Timestamp
    /// The distance from the pickup point to the drop-off point; nil without one.
    private let ride: Double?
    private let waypoints: [ProtoWaypoint]

    /// Creates a candidate from a vehicle with a location.
    init(
        _ vehicle: ProtoVehicle,
        type: ProtoVehicleMatch.VehicleMatchType,
        for request: ProtoSearchVehiclesRequest,
        at now: Timestamp
    ) {
        name = vehicle.name
        self.type = type
        let (here, pickup) = (vehicle.lastLocation.location, request.pickupPoint.point)
        straightDistance = Estimate.distance(here, pickup)
        var stops = [ProtoWaypoint(here, now)]
        var (distance, time) = (0.0, now)
        if let journey = Journey(vehicle, at: now) {
            (distance, time) = (journey.distance, journey.eta)
            for (index, waypoint) in journey.waypoints.enumerated() {
                if index > 0 {
                    distance += Double(waypoint.distanceMeters.value)
                    time = waypoint.eta
                }
                stops.append(ProtoWaypoint(waypoint.location.point, time))
            }
        }
        let last = Estimate.distance(stops[stops.count - 1].latLng, pickup)
        self.distance = distance + last
        eta = time.adding(Estimate.duration(meters: last))
        ride = request.hasDropoffPoint ? Estimate.distance(pickup, request.dropoffPoint.point) : nil
        waypoints = stops + [ProtoWaypoint(pickup, eta)]
    }

    /// Returns what matches are sorted by, the smallest first.
    func order(_ order: ProtoSearchVehiclesRequest.VehicleMatchOrder) -> Double {
        switch order {
        case .pickupPointEta: eta.inSeconds
        case .dropoffPointEta: dropoff?.inSeconds ?? eta.inSeconds
        case .pickupPointDistance: distance
        // Google does not publish the weights: half and half, at the speed of the estimates.
        case .cost: eta.inSeconds + Estimate.duration(meters: straightDistance)
        case .pickupPointStraightDistance, .unknownVehicleMatchOrder, .UNRECOGNIZED: straightDistance
        }
    }

    /// Returns the match with the vehicle as it is answered.
    func match(_ vehicle: ProtoVehicle, _ request: ProtoSearchVehiclesRequest) -> ProtoVehicleMatch {
        .with {
            $0.vehicle = vehicle
            $0.vehiclePickupEta = eta
            $0.vehiclePickupDistanceMeters = .init(meters: distance)
            $0.vehiclePickupStraightLineDistanceMeters = .init(meters: straightDistance)
            if let ride { $0.vehiclePickupToDropoffDistanceMeters = .init(meters: ride) }
            if let dropoff { $0.vehicleDropoffEta = dropoff }
            $0.tripType = request.tripTypes[0]
            $0.vehicleTripsWaypoints = waypoints
            $0.vehicleMatchType = type
            $0.requestedOrderedBy = request.orderBy
            $0.orderedBy = request.orderBy
        }
    }

    private var dropoff: Timestamp? {
        ride.map { eta.adding(Estimate.duration(meters: $0)) }
    }
}

extension ProtoWaypoint {
    fileprivate init(_ point: ProtoLatLng, _ time: Timestamp) {
        self.init()
        latLng = point
        eta = time
    }
}
