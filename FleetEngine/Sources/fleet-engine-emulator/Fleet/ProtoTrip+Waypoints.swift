import SwiftProtobuf

extension ProtoTrip {
    /// The last part of the name.
    var id: String { name.resourceID }

    /// Whether the trip is over.
    var isOver: Bool { tripStatus == .complete || tripStatus == .canceled }

    /// The waypoints that are still before the vehicle, according to the status.
    ///
    /// A pickup point stays while the vehicle waits there, and goes when it leaves.
    var waypointsAhead: [ProtoTripWaypoint] {
        var waypoints: [ProtoTripWaypoint] = []
        switch tripStatus {
        case .complete, .canceled: return []
        case .enrouteToDropoff: break
        case .arrivedAtIntermediateDestination, .enrouteToIntermediateDestination:
            waypoints += intermediateWaypoints.dropFirst(Int(max(0, intermediateDestinationIndex)))
        case .unknownTripStatus, .new, .enrouteToPickup, .arrivedAtPickup, .UNRECOGNIZED:
            waypoints.append(waypoint(pickupPoint, .pickupWaypointType))
            waypoints += intermediateWaypoints
        }
        if hasDropoffPoint { waypoints.append(waypoint(dropoffPoint, .dropOffWaypointType)) }
        return waypoints
    }

    private var intermediateWaypoints: [ProtoTripWaypoint] {
        intermediateDestinations.map { waypoint($0, .intermediateDestinationWaypointType) }
    }

    private func waypoint(_ location: ProtoTerminalLocation, _ type: ProtoWaypointType) -> ProtoTripWaypoint {
        .with {
            $0.location = location
            $0.tripID = id
            $0.waypointType = type
        }
    }
}

extension ProtoTripWaypoint {
    /// Returns whether it is the same stop of the same trip.
    func isSame(as other: Self) -> Bool {
        tripID.hasSameBytes(as: other.tripID) && waypointType == other.waypointType
            && location.point == other.location.point
    }
}
