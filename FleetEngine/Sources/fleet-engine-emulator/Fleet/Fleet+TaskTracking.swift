import EngineCoding
import FleetToken

extension Fleet {
    /// Returns the tasks with the tracking ID of a name, in the order of their own names.
    func tasks(trackedBy name: ResourceName) -> [Message] {
        let tracked = tasks.values.filter { task in
            task.text("trackingId").hasSameBytes(as: name.id) && task.name.providerID.hasSameBytes(as: name.provider)
        }
        return tracked.sorted { $0.name < $1.name }
    }

    /// Returns what a recipient sees of a task.
    func getTaskTrackingInfo(_ request: MethodRequest) throws(EngineError) -> Message {
        let all = tasks(trackedBy: request.name)
        guard let task = all.first(where: { $0.text("state") == "OPEN" }) ?? all.last else {
            throw .notFound(request.name.text)
        }
        var info: Message = ["name": .string(request.name.text)]
        for field in [
            "trackingId", "state", "taskOutcome", "taskOutcomeTime", "plannedLocation", "targetTimeWindow",
            "attributes",
        ] { info[field] = task[field] }
        guard let journey = TaskJourney(task, in: self) else { return info }
        let arrival = request.now.adding(journey.duration)
        let parts: [(view: String, field: String, value: JSONValue?)] = [
            ("vehicleLocationVisibility", "vehicleLocation", journey.vehicle["lastLocation"]),
            (
                "routePolylinePointsVisibility", "routePolylinePoints",
                .list(journey.segments.flatMap { $0.messages("path") })
            ),
            ("remainingStopCountVisibility", "remainingStopCount", .integer(Int64(journey.segments.count))),
            ("remainingDrivingDistanceVisibility", "remainingDrivingDistanceMeters", .meters(journey.distance)),
            ("estimatedArrivalTimeVisibility", "estimatedArrivalTime", .time(arrival)),
            (
                "estimatedTaskCompletionTimeVisibility", "estimatedTaskCompletionTime",
                .time(arrival.adding(task.duration("taskDuration") ?? 0))
            ),
        ]
        let view = task.message("taskTrackingViewConfig") ?? Message()
        for part in parts where (view.message(part.view) ?? Message()).allows(journey) { info[part.field] = part.value }
        return info
    }
}

extension Message {
    /// Returns whether a recipient may see something; without an option, from five stops away.
    fileprivate func allows(_ journey: TaskJourney) -> Bool {
        if let count = integer("remainingStopCountThreshold") { return journey.segments.count <= count }
        if let seconds = duration("durationUntilEstimatedArrivalTimeThreshold") { return journey.duration <= seconds }
        if let meters = number("remainingDrivingDistanceMetersThreshold") { return journey.distance <= meters }
        if has("always") || has("never") { return flag("always") }
        return journey.segments.count <= 5
    }
}
