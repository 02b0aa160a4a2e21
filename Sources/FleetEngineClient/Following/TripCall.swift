import Foundation

/// A call of one of a subscriber's methods.
typealias TripCall = @MainActor @Sendable (any TripModelSubscriber, TripModel) -> Void

extension FollowEvent<Trip> {
    /// The calls for this event, in order.
    var calls: [TripCall] {
        switch self {
        case .state(let state): [{ $0.tripModel($1, didUpdate: state) }]
        case .updated(let trip, let known): Self.calls(for: trip, known: known)
        case .failed(let error): [{ $0.tripModel($1, didFailUpdateTripWithError: error) }]
        case .recovered: [{ $0.tripModelDidRecover($1) }]
        }
    }

    /// Returns a call for each field that has changed.
    ///
    /// A time or distance that exists no longer has no call, because the methods take no nil.
    private static func calls(for trip: Trip, known: Trip?) -> [TripCall] {
        let fields = TripPropertyFields.differentProperties(between: known, and: trip)
        var calls: [TripCall] = []
        func add(_ changed: TripPropertyFields, _ call: @escaping TripCall) {
            if !fields.isDisjoint(with: changed) { calls.append(call) }
        }
        func add<Value: Sendable>(
            _ changed: TripPropertyFields,
            ifPresent value: Value?,
            _ call: @escaping @MainActor @Sendable (any TripModelSubscriber, TripModel, Value) -> Void
        ) {
            if let value { add(changed) { call($0, $1, value) } }
        }
        add(.all) { $0.tripModel($1, didUpdate: trip, updatedPropertyFields: fields) }
        add(.tripStatus) { $0.tripModel($1, didUpdate: trip.tripStatus) }
        add(.routeLastVehicleLocation) { $0.tripModel($1, didUpdate: trip.lastLocation) }
        add(.pickupLocation) { $0.tripModel($1, didUpdatePickupLocation: trip.pickupLocation) }
        add(.dropoffLocation) { $0.tripModel($1, didUpdateDropoffLocation: trip.dropoffLocation) }
        add([.intermediateDestinations, .intermediateDestinationIndex]) {
            $0.tripModel($1, didUpdateIntermediateDestinations: trip.intermediateDestinations)
        }
        add(.pickupTime, ifPresent: trip.pickupTime) { $0.tripModel($1, didUpdatePickupETA: $2.timeIntervalSince1970) }
        add(.dropoffTime, ifPresent: trip.dropoffTime) {
            $0.tripModel($1, didUpdateDropoffETA: $2.timeIntervalSince1970)
        }
        // It has no field of its own.
        if let next = trip.etaToNextWaypoint, next != known?.etaToNextWaypoint {
            calls.append { $0.tripModel($1, didUpdateETAToNextWaypoint: next.timeIntervalSince1970) }
        }
        add(.activeRoute) { $0.tripModel($1, didUpdateActiveRoute: trip.activeRoute) }
        add(.activeRouteTraffic) { $0.tripModel($1, didUpdateActiveRouteTraffic: trip.activeRouteTraffic) }
        add(.remainingDistanceOfActiveRouteInMeters, ifPresent: trip.activeRouteRemainingDistance) {
            $0.tripModel($1, didUpdateActiveRouteRemainingDistance: $2)
        }
        add(.remainingWaypoints) { $0.tripModel($1, didUpdateRemaining: trip.remainingWaypoints) }
        add(.remainingRoute) { $0.tripModel($1, didUpdateRemainingRoute: trip.remainingRoute) }
        add(.remainingRouteTraffic) { $0.tripModel($1, didUpdateRemainingRouteTraffic: trip.remainingRouteTraffic) }
        add(.distanceOfRemainingRouteInMeters, ifPresent: trip.remainingRouteDistance) {
            $0.tripModel($1, didUpdateRemainingRouteDistance: $2)
        }
        return calls
    }
}
