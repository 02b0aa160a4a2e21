/// What a response about a trip has.
struct TripDetail {
    /// Versions that the caller has: what has not changed since is omitted.
    var routeVersion: Timestamp?
    var trafficVersion: Timestamp?
    var waypointsRouteVersion: Timestamp?
    var isEncoded = false
    var view = ProtoTripView.sdk
    /// Whether the vehicle's waypoints are in it: in responses to creating and updating, never in others.
    var hasVehicleWaypoints = false
    /// Whether route, waypoints, distance and times are in it.
    var hasJourney = true

    /// Creates the detail of a response with everything but the vehicle's waypoints.
    init() {}

    /// Creates the detail that a request asks for.
    init(_ request: ProtoGetTripRequest) {
        if request.hasCurrentRouteSegmentVersion { routeVersion = request.currentRouteSegmentVersion }
        if request.hasCurrentRouteSegmentTrafficVersion { trafficVersion = request.currentRouteSegmentTrafficVersion }
        if request.hasRemainingWaypointsRouteVersion { waypointsRouteVersion = request.remainingWaypointsRouteVersion }
        if request.view != .unspecified { view = request.view }
        isEncoded = request.routeFormatType == .encodedPolylineType
    }
}
