import FleetEngineClient

/// Where a vehicle drives: from where it stands to the pickup point, and on to the drop-off point.
struct City: Sendable {
    let toPickup = Path([(25.0452, 121.5151), (25.0466, 121.5151), (25.0478, 121.5170)])
    let toDropoff = Path([(25.0478, 121.5170), (25.0461, 121.5205), (25.0440, 121.5222)])

    var pickup: LatLng { toPickup.end }
    var dropoff: LatLng { toDropoff.end }
}
