import SwiftProtobuf

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
            remainingDrivingDistanceMeters = .init(meters: journey.distance)
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
