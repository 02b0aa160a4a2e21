#if Emulator
import SwiftProtobuf

/// The way of a vehicle to the stop of a task.
struct TaskJourney {
    let vehicle: ProtoDeliveryVehicle
    /// The segments up to the task's stop.
    let segments: [ProtoVehicleJourneySegment]

    /// Creates the journey to a task; nil if it is closed, or no vehicle is on its way.
    init?(_ task: ProtoTask, in fleet: Fleet) {
        let name = Collection.deliveryVehicles.name(task.deliveryVehicleID, of: task.name.providerID)
        guard task.state == .open, let vehicle = fleet.deliveryVehicles[name]?.withEstimates,
            let last = vehicle.remainingVehicleJourneySegments.firstIndex(where: { segment in
                segment.stop.tasks.contains { $0.taskID == task.name.resourceID }
            })
        else { return nil }
        self.vehicle = vehicle
        segments = Array(vehicle.remainingVehicleJourneySegments[...last])
    }

    /// The way, in metres.
    var distance: Double {
        segments.indices.reduce(0) { sum, index in
            let isReported = index == 0 && vehicle.hasRemainingDistanceMeters
            return sum
                + Double(
                    isReported
                        ? vehicle.remainingDistanceMeters.value : segments[index].drivingDistanceMeters.value
                )
        }
    }

    /// How long the way takes, with the stops on it, in seconds.
    var duration: Double {
        let driving = segments.indices.reduce(0.0) { sum, index in
            let isReported = index == 0 && vehicle.hasRemainingDuration
            return sum + (isReported ? vehicle.remainingDuration : segments[index].drivingDuration).inSeconds
        }
        let stops = segments.dropLast().flatMap(\.stop.tasks).reduce(0) { $0 + $1.taskDuration.inSeconds }
        return driving + stops
    }
}

extension Fleet {
    /// Returns what a recipient sees of a task.
    func getTaskTrackingInfo(_ name: String, at now: Timestamp) throws(EngineError) -> ProtoTaskTrackingInfo {
        let all = (tracked[name] ?? []).sorted().compactMap { tasks[$0] }
        guard let task = all.first(where: { $0.state == .open }) ?? all.last else { throw .notFound(name) }
        var info = ProtoTaskTrackingInfo()
        info.name = name
        info.trackingID = task.trackingID
        info.state = task.state
        info.taskOutcome = task.taskOutcome
        if task.hasTaskOutcomeTime { info.taskOutcomeTime = task.taskOutcomeTime }
        if task.hasPlannedLocation { info.plannedLocation = task.plannedLocation }
        if task.hasTargetTimeWindow { info.targetTimeWindow = task.targetTimeWindow }
        info.attributes = task.attributes
        if let journey = TaskJourney(task, in: self) { info.show(journey, of: task, at: now) }
        return info
    }
}

extension ProtoTaskTrackingInfo {
    /// Sets the parts of a journey that the task's recipient may see.
    fileprivate mutating func show(_ journey: TaskJourney, of task: ProtoTask, at now: Timestamp) {
        let view = task.taskTrackingViewConfig
        if view.vehicleLocationVisibility.allows(journey), journey.vehicle.hasLastLocation {
            vehicleLocation = journey.vehicle.lastLocation
        }
        if view.routePolylinePointsVisibility.allows(journey) {
            routePolylinePoints = journey.segments.flatMap(\.path)
        }
        if view.remainingStopCountVisibility.allows(journey) {
            remainingStopCount = .init(Int32(journey.segments.count))
        }
        if view.remainingDrivingDistanceVisibility.allows(journey) {
            remainingDrivingDistanceMeters = .init(Int32(min(journey.distance.rounded(), Double(Int32.max))))
        }
        let arrival = now.adding(journey.duration)
        if view.estimatedArrivalTimeVisibility.allows(journey) { estimatedArrivalTime = arrival }
        if view.estimatedTaskCompletionTimeVisibility.allows(journey) {
            estimatedTaskCompletionTime = arrival.adding(task.taskDuration.inSeconds)
        }
    }
}

extension ProtoTaskTrackingViewConfig.VisibilityOption {
    /// Returns whether a recipient may see something; without an option, from five stops away.
    fileprivate func allows(_ journey: TaskJourney) -> Bool {
        switch visibilityOption {
        case nil: journey.segments.count <= 5
        case .remainingStopCountThreshold(let count)?: journey.segments.count <= Int(count)
        case .durationUntilEstimatedArrivalTimeThreshold(let duration)?: journey.duration <= duration.inSeconds
        case .remainingDrivingDistanceMetersThreshold(let meters)?: journey.distance <= Double(meters)
        case .always(let isAlways)?: isAlways
        case .never(let isNever)?: !isNever
        }
    }
}
#endif
