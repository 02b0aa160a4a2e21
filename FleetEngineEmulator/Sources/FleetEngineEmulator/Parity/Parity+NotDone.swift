extension Parity {
    /// What the documentation states and the emulator does not do, with the reason.
    static let notDone = [
        ("SearchFuzzedVehicles", "answers are those of SearchVehicles, exact"),
        ("Vehicle.vehicle_type", "estimates have one speed for all types: there is no map"),
        ("TripWaypoint.traffic_to_waypoint", "the emulator knows the traffic on the current segment alone"),
        ("VehicleLocation.location", "what was reported last: locations are not estimated"),
        ("Vehicle.past_locations", "checked and forgotten, as are `device_settings` and the actual points of trips"),
        ("ReportBillableTripRequest", "platform and solution type are accepted and forgotten"),
        ("VehicleMatchType.CARPOOL", "the pickup point follows the vehicle's stops: routes are not optimized"),
        ("VehicleMatchOrder.COST", "Google does not publish the weights: distance and time count half each"),
        ("Trip.vehicle_waypoints", "a shared trip's are appended without them: the order is undetermined"),
        ("DeliveryVehicle.current_route_segment", "is used however old it is: Google publishes no age"),
        ("Polylines of Google's SDKs", "a segment that is no encoded polyline is kept and returned, not decoded"),
        ("TaskTrackingViewConfig", "a project's default cannot be configured: five stops"),
        ("TaskTrackingInfo", "of several tasks the first open one, or the last: Google does not publish its choice"),
        ("SearchTripsResponse.next_page_token", "the last page has none; Google's may be followed by an empty page"),
        ("RequestHeader.language_code", "answers have no texts in a language; the other fields are for statistics"),
        ("Filters (AIP-160)", "wildcards, functions and the operator `:`"),
        ("TerminalPointId and other deprecated fields", "accepted and ignored"),
    ].map { name, reason in Entry(name, reason, .notDone, "docstring") }
}
