import SwiftProtobuf

/// The way of a vehicle to the stop of a task.
struct TaskJourney {
    let vehicle: ProtoDeliveryVehicle
    /// The segments up to the task's stop; the first begins at the vehicle's last location.
    let segments: [ProtoVehicleJourneySegment]
    /// How long the stops before the task's own take, in seconds.
    private let stopTime: Double

    /// How far from its stop a reported route may end, in metres.
    private static let tolerance = 100.0

    /// Creates the journey to a task; nil if it is closed, or no vehicle is on its way.
    init?(_ task: ProtoTask, in fleet: Fleet) {
        let provider = task.name.providerID
        let name = Collection.deliveryVehicles.name(task.deliveryVehicleID, of: provider)
        guard task.state == .open, let vehicle = fleet.deliveryVehicles[name],
            let last = vehicle.remainingVehicleJourneySegments.firstIndex(where: { segment in
                segment.stop.tasks.contains { $0.taskID == task.name.resourceID }
            })
        else { return nil }
        self.vehicle = vehicle
        var segments = Array(vehicle.remainingVehicleJourneySegments[...last])
        Self.setCurrentWay(&segments[0], of: vehicle)
        self.segments = segments
        stopTime = segments.dropLast().flatMap(\.stop.tasks).reduce(0) { sum, info in
            sum + (fleet.tasks[Collection.tasks.name(info.taskID, of: provider)]?.taskDuration.inSeconds ?? 0)
        }
    }

    /// Sets the way from the vehicle's last location: what its device reported, if that leads to the stop.
    private static func setCurrentWay(_ segment: inout ProtoVehicleJourneySegment, of vehicle: ProtoDeliveryVehicle) {
        guard vehicle.hasLastLocation else { return }
        let stop = segment.stop.plannedLocation.point
        guard !vehicle.currentRouteSegment.isEmpty else { return segment.complete(from: vehicle.lastLocation.location) }
        let route = Polyline.decode(String(decoding: vehicle.currentRouteSegment, as: UTF8.self)) ?? []
        let end = vehicle.hasCurrentRouteSegmentEndPoint ? vehicle.currentRouteSegmentEndPoint : route.last
        // A route to another stop is not used; the way from the last stop is left.
        if let end, Estimate.distance(end, stop) > tolerance { return }
        segment.complete(from: vehicle.lastLocation.location)
        if route.count > 1 {
            segment.path = route
            let meters = zip(route, route.dropFirst()).reduce(0) { $0 + Estimate.distance($1.0, $1.1) }
            segment.drivingDistanceMeters = .init(meters: meters)
            segment.drivingDuration = .init(secondsRounded: Estimate.duration(meters: meters))
        }
        if vehicle.hasRemainingDistanceMeters { segment.drivingDistanceMeters = vehicle.remainingDistanceMeters }
        if vehicle.hasRemainingDuration { segment.drivingDuration = vehicle.remainingDuration }
    }

    /// The way, in metres.
    var distance: Double { segments.reduce(0) { $0 + Double($1.drivingDistanceMeters.value) } }

    /// How long the way takes, with the stops on it, in seconds.
    var duration: Double { segments.reduce(stopTime) { $0 + $1.drivingDuration.inSeconds } }
}
