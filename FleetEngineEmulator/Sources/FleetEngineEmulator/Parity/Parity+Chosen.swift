extension Parity {
    /// What the docstrings leave open, with what was chosen; each with checks in the tests.
    static let chosen = [
        ("Immutable fields", "400 if the value changes; the same value is accepted", "AIP-203"),
        ("intermediate_destinations_version", "fails with 400 `FAILED_PRECONDITION`", "docstring, without a code"),
        ("waypoints of an update of a vehicle", "the order is not checked: the rule is that of trips", ""),
        ("numbers in attributes", "10 is stored as `10`", "example of a filter in the docstring"),
        ("unquoted numbers in filters", "400: the docstring says that they must be quoted", ""),
        ("filters", "`=`, `!=`, `<`, `<=`, `>`, `>=`, `AND`, `OR`, `NOT` and parentheses", "AIP-160"),
        ("filters of ListTasks", "fields of the guide that the docstring links to; attributes", "guide \"Find tasks\""),
        ("VehicleMatchType without trips", "`EXCLUSIVE`, for shared searches as well", "docstring: no trip assigned"),
        ("current_trips_present ANY", "does not need `back_to_back_enabled`", "docstring of `CurrentTripsPresent`"),
        ("capacity", "of shared trips, what their passengers leave; a trip that ends first counts not", ""),
        ("end of a delivery vehicle's segment", "at its stop within 100 m", "docstring: may not match exactly"),
        ("tasks of another vehicle", "400 `FAILED_PRECONDITION`", "docstring: if they have not yet been assigned"),
        ("page tokens of ListVehicles and SearchTrips", "valid for other parameters", "docstring: undefined"),
        ("task_outcome_time", "the time of the update, if the request has none", ""),
    ].map { name, summary, source in Entry(name, summary, .inferred, source) }
}
