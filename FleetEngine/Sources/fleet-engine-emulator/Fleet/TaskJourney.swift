import EngineCoding
import FleetToken

/// The route of a vehicle to the stop of a task.
struct TaskJourney {
    let vehicle: Message
    /// The segments up to the task's stop; the first begins at the vehicle's last location.
    let segments: [Message]
    /// How long the stops before the task's own take, in seconds.
    private let stopTime: Double

    /// Creates the journey to a task; nil if it is closed, or no vehicle is on its way.
    init?(_ task: Message, in fleet: Fleet) {
        let provider = task.name.providerID
        let name = Collection.deliveryVehicles.name(task.text("deliveryVehicleId"), of: provider)
        guard task.text("state") == "OPEN", let vehicle = fleet.deliveryVehicles[name],
            let last = vehicle.segments.firstIndex(where: { $0.segmentTaskIDs.contains(task.id) })
        else { return nil }
        self.vehicle = vehicle
        var segments = Array(vehicle.segments[...last])
        Self.setCurrentRoute(&segments[0], of: vehicle)
        self.segments = segments
        stopTime = segments.dropLast().flatMap(\.segmentTaskIDs).reduce(0) { sum, id in
            sum + (fleet.tasks[Collection.tasks.name(id, of: provider)]?.duration("taskDuration") ?? 0)
        }
    }

    /// Sets the route from the vehicle's last location: what its device reported.
    private static func setCurrentRoute(_ segment: inout Message, of vehicle: Message) {
        guard let here = vehicle.message("lastLocation")?.point("location") else { return }
        segment.setRoute(from: here)
        guard let bytes = Base64.decode(vehicle.text("currentRouteSegment")), !bytes.isEmpty else { return }
        let route = (Polyline.decode(String(decoding: bytes, as: UTF8.self)) ?? []).map(Point.init)
        if route.count > 1 {
            let meters = zip(route, route.dropFirst()).reduce(0) { $0 + Estimate.distance($1.0, $1.1) }
            segment["path"] = .list(route)
            segment["drivingDistanceMeters"] = .meters(meters)
            segment["drivingDuration"] = .duration(Estimate.duration(meters: meters))
        }
        if let meters = vehicle["remainingDistanceMeters"] { segment["drivingDistanceMeters"] = meters }
        if let duration = vehicle["remainingDuration"] { segment["drivingDuration"] = duration }
    }

    /// The length of the route, in metres.
    var distance: Double { segments.reduce(0) { $0 + ($1.number("drivingDistanceMeters") ?? 0) } }

    /// How long the route takes with the stops on it, in seconds.
    var duration: Double { segments.reduce(stopTime) { $0 + ($1.duration("drivingDuration") ?? 0) } }
}
