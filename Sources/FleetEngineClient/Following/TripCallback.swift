import Foundation

/// A call of one of a subscriber's methods, with its argument.
enum TripCallback: Hashable, Sendable {
    case sessionState(TripModelState)
    case trip(Trip, TripPropertyFields)
    case tripStatus(TripStatus)
    case vehicleLocation(VehicleLocation?)
    case pickupLocation(TerminalLocation?)
    case dropoffLocation(TerminalLocation?)
    case intermediateDestinations([TerminalLocation]?)
    case pickupETA(TimeInterval)
    case dropoffETA(TimeInterval)
    case etaToNextWaypoint(TimeInterval)
    case activeRoute([LatLng]?)
    case activeRouteTraffic(TrafficData?)
    case activeRouteRemainingDistance(Int32)
    case remainingWaypoints([TripWaypoint]?)
    case remainingRoute([LatLng]?)
    case remainingRouteTraffic(TrafficData?)
    case remainingRouteDistance(Int32)
    case failure(FleetEngineError)
    case recovery

    @MainActor
    func call(_ subscriber: any TripModelSubscriber, _ model: TripModel) {
        switch self {
        case .sessionState(let value): subscriber.tripModel(model, didUpdate: value)
        case .trip(let value, let fields): subscriber.tripModel(model, didUpdate: value, updatedPropertyFields: fields)
        case .tripStatus(let value): subscriber.tripModel(model, didUpdate: value)
        case .vehicleLocation(let value): subscriber.tripModel(model, didUpdate: value)
        case .pickupLocation(let value): subscriber.tripModel(model, didUpdatePickupLocation: value)
        case .dropoffLocation(let value): subscriber.tripModel(model, didUpdateDropoffLocation: value)
        case .intermediateDestinations(let value):
            subscriber.tripModel(model, didUpdateIntermediateDestinations: value)
        case .pickupETA(let value): subscriber.tripModel(model, didUpdatePickupETA: value)
        case .dropoffETA(let value): subscriber.tripModel(model, didUpdateDropoffETA: value)
        case .etaToNextWaypoint(let value): subscriber.tripModel(model, didUpdateETAToNextWaypoint: value)
        case .activeRoute(let value): subscriber.tripModel(model, didUpdateActiveRoute: value)
        case .activeRouteTraffic(let value): subscriber.tripModel(model, didUpdateActiveRouteTraffic: value)
        case .activeRouteRemainingDistance(let value):
            subscriber.tripModel(model, didUpdateActiveRouteRemainingDistance: value)
        case .remainingWaypoints(let value): subscriber.tripModel(model, didUpdateRemaining: value)
        case .remainingRoute(let value): subscriber.tripModel(model, didUpdateRemainingRoute: value)
        case .remainingRouteTraffic(let value): subscriber.tripModel(model, didUpdateRemainingRouteTraffic: value)
        case .remainingRouteDistance(let value): subscriber.tripModel(model, didUpdateRemainingRouteDistance: value)
        case .failure(let error): subscriber.tripModel(model, didFailUpdateTripWithError: error)
        case .recovery: subscriber.tripModelDidRecover(model)
        }
    }
}

extension FollowEvent<Trip> {
    /// The calls for this event, in order.
    var callbacks: [TripCallback] {
        switch self {
        case .state(let state): [.sessionState(state)]
        case .updated(let trip, let known): TripCallback.calls(for: trip, known: known)
        case .failed(let error): [.failure(error)]
        case .recovered: [.recovery]
        }
    }
}

extension TripCallback {
    /// Returns a call for each field that has changed.
    ///
    /// A time or distance that exists no longer has no call, because the methods take no nil.
    fileprivate static func calls(for trip: Trip, known: Trip?) -> [TripCallback] {
        let fields = TripPropertyFields.differentProperties(between: known, and: trip)
        func ifChanged(_ changed: TripPropertyFields, _ callback: TripCallback?) -> TripCallback? {
            fields.isDisjoint(with: changed) ? nil : callback
        }
        let next = trip.etaToNextWaypoint == known?.etaToNextWaypoint ? nil : trip.etaToNextWaypoint
        return [
            fields.isEmpty ? nil : .trip(trip, fields),
            ifChanged(.tripStatus, .tripStatus(trip.tripStatus)),
            ifChanged(.routeLastVehicleLocation, .vehicleLocation(trip.lastLocation)),
            ifChanged(.pickupLocation, .pickupLocation(trip.pickupLocation)),
            ifChanged(.dropoffLocation, .dropoffLocation(trip.dropoffLocation)),
            ifChanged(
                [.intermediateDestinations, .intermediateDestinationIndex],
                .intermediateDestinations(trip.intermediateDestinations)
            ),
            ifChanged(.pickupTime, (trip.pickupTime?.timeIntervalSince1970).map { .pickupETA($0) }),
            ifChanged(.dropoffTime, (trip.dropoffTime?.timeIntervalSince1970).map { .dropoffETA($0) }),
            (next?.timeIntervalSince1970).map { .etaToNextWaypoint($0) },
            ifChanged(.activeRoute, .activeRoute(trip.activeRoute)),
            ifChanged(.activeRouteTraffic, .activeRouteTraffic(trip.activeRouteTraffic)),
            ifChanged(
                .remainingDistanceOfActiveRouteInMeters,
                trip.activeRouteRemainingDistance.map { .activeRouteRemainingDistance($0) }
            ),
            ifChanged(.remainingWaypoints, .remainingWaypoints(trip.remainingWaypoints)),
            ifChanged(.remainingRoute, .remainingRoute(trip.remainingRoute)),
            ifChanged(.remainingRouteTraffic, .remainingRouteTraffic(trip.remainingRouteTraffic)),
            ifChanged(
                .distanceOfRemainingRouteInMeters,
                trip.remainingRouteDistance.map { .remainingRouteDistance($0) }
            ),
        ].compactMap { $0 }
    }
}
