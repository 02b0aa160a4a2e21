import SwiftProtobuf

extension ProtoTrip {
    /// Removes what only requests have.
    mutating func forgetInput() {
        vehicleWaypoints = []
        clearActualPickupPoint()
        clearActualPickupArrivalPoint()
        clearActualDropoffPoint()
        actualIntermediateDestinations = []
        actualIntermediateDestinationArrivalPoints = []
    }

    /// Sets what follows from the change of a status or of the destinations.
    mutating func pass(from old: ProtoTrip, at now: Timestamp) {
        if intermediateDestinations != old.intermediateDestinations {
            intermediateDestinationsVersion = now.version(
                after: old.hasIntermediateDestinationsVersion ? old.intermediateDestinationsVersion : nil
            )
        }
        // The estimates are in responses only; these are the actual times.
        let hasPickedUp: [ProtoTripStatus] = [
            .enrouteToDropoff, .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination,
        ]
        if hasPickedUp.contains(tripStatus) || tripStatus == .complete, !hasPickupTime { pickupTime = now }
        if tripStatus == .complete, !hasDropoffTime { dropoffTime = now }
    }

    /// Checks where stops happened.
    func checkActualPoints(_ fields: Set<String>) throws(EngineError) {
        let points = [
            ("actual_pickup_point", hasActualPickupPoint ? [actualPickupPoint] : []),
            ("actual_pickup_arrival_point", hasActualPickupArrivalPoint ? [actualPickupArrivalPoint] : []),
            ("actual_dropoff_point", hasActualDropoffPoint ? [actualDropoffPoint] : []),
            ("actual_intermediate_destinations", actualIntermediateDestinations),
            ("actual_intermediate_destination_arrival_points", actualIntermediateDestinationArrivalPoints),
        ]
        for (field, locations) in points where fields.contains(field) {
            for location in locations {
                guard location.hasPoint else { throw .missing("trip.\(field).point", "must be set") }
                try location.point.check("trip.\(field).point")
            }
        }
    }
}

extension ProtoTerminalLocation {
    /// Checks that it has a point on Earth.
    func check(_ field: String) throws(EngineError) {
        guard hasPoint else { throw .missing("\(field).point", "must be set") }
        try point.check("\(field).point")
    }
}
