import FleetEngineClient

/// Where a vehicle drives: from where it stands to the pickup point, and on to the drop-off point.
struct City: Sendable {
    let toPickup = Path([(25.0418, 121.5078), (25.0418, 121.5131), (25.0461, 121.5131), (25.0478, 121.5170)])
    let toDropoff = Path([(25.0478, 121.5170), (25.0461, 121.5228), (25.0398, 121.5301), (25.0339, 121.5361)])

    var pickup: LatLng { toPickup.end }
    var dropoff: LatLng { toDropoff.end }
}
