/// A claim of a token's `authorization`.
enum ScopeClaim: String, CaseIterable, Sendable {
    case trip = "tripid"
    case vehicle = "vehicleid"
    case deliveryVehicle = "deliveryvehicleid"
    case task = "taskid"
    case tasks = "taskids"
    case tracking = "trackingid"
}
