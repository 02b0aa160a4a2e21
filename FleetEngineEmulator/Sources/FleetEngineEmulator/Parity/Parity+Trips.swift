extension Parity {
    /// What Google's Python package `google-maps-fleetengine` states of trips, each with checks in the tests.
    static let trips = documented([
        "CreateTripRequest.trip": "needs `trip_type` and `pickup_point`; uses only the five fields that it names",
        "CreateTripRequest.trip_id": "1 to 64 characters in NFC without `/ : ? , #`",
        "Trip.intermediate_destinations": "for `EXCLUSIVE` trips only",
        "TerminalLocation.point": "required in each pickup point, destination and drop-off point",
        "Trip.vehicle_waypoints": "all waypoints of the vehicle and the trip, and no others; ignored without a vehicle",
        "CreateTripRequest.vehicle_waypoints order":
            "pickup point, destinations, drop-off point; no other trip's stop inside an `EXCLUSIVE` trip",
        "TripWaypoint": "time, way and distance are undefined for the first; a request's are ignored",
        "UpdateTripRequest.trip": "the fields that Fleet Engine maintains cannot be updated",
        "UpdateTripRequest.update_mask": "at least one field; only fields of the mask change",
        "Trip.number_of_passengers": "immutable",
        "Trip.intermediate_destinations_version":
            "when a vehicle leaves for a destination, it must be that of the trip, if it is sent",
        "Trip.intermediate_destination_index": "from 0 to N-1; ignored without destinations",
        "Trip.attributes": "unique keys without a colon; `key:value` has at most 256 characters",
        "Trip.last_location_snappable": "false without a location or a segment; an update is ignored",
        "StopLocation.point": "required where a stop happened",
        "Trip input": "the actual points are in no answer",
        "Trip journey": "distance and time to the next waypoint only while a vehicle has the trip",
        "GetTripRequest.view": "`SDK` by default; without what only SDKs can interpret in `JOURNEY_SHARING_V1S`",
        "GetTripRequest.current_route_segment_version": "the route is omitted if it is unchanged since",
        "GetTripRequest.current_route_segment_traffic_version": "the traffic is omitted if it is unchanged since",
        "GetTripRequest.remaining_waypoints_route_version":
            "the paths of waypoints are omitted if they are unchanged since; waypoints are always there",
        "GetTripRequest.route_format_type": "`route` by default; an encoded polyline in `current_route_segment`",
        "SearchTripsRequest.vehicle_id": "without it, trips have no segment, waypoints, distance and time",
        "SearchTripsRequest.active_trips_only": "trips that a vehicle has and that are not over",
        "SearchTripsRequest.minimum_staleness": "trips that were not updated since",
        "DeleteTrip": "`FAILED_PRECONDITION` if a vehicle has the active trip",
        "ReportBillableTripRequest": "needs the two letters of a country; at most 50 related IDs",
        "RequestHeader.region_code": "required in a header, which is optional",
    ])
}
