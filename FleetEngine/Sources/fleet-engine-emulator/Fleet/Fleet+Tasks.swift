import SwiftProtobuf

extension Fleet {
    /// Adds a task that was created or imported.
    mutating func insert(_ task: ProtoTask) {
        tasks[task.name] = task
        guard !task.trackingID.isEmpty else { return }
        tracked[task.trackingName, default: []].insert(task.name)
    }

    private mutating func untrack(_ task: ProtoTask) {
        tracked[task.trackingName]?.remove(task.name)
        if tracked[task.trackingName]?.isEmpty == true { tracked[task.trackingName] = nil }
    }

    /// Creates a task.
    mutating func createTask(_ request: ProtoCreateTaskRequest) throws(EngineError) -> ProtoTask {
        try ResourceName.check(request.taskID, "task_id")
        let name = Collection.tasks.name(request.taskID, of: request.parent.resourceID)
        try Self.check(request.task)
        guard tasks[name] == nil else { throw .alreadyExists(name) }
        var task = request.task
        task.name = name
        insert(task)
        return task
    }

    private static func check(_ task: ProtoTask) throws(EngineError) {
        guard task.type != .unspecified else { throw .missing("task.type", "must be set") }
        guard task.state == .open else { throw .invalid("task.state", "must be OPEN") }
        let isPrivate = task.type == .unavailable || task.type == .scheduledStop
        guard task.trackingID.isEmpty == isPrivate else {
            let problem = isPrivate ? "must not be set for this type" : "must be set for this type"
            throw .refused(by: isPrivate ? .fieldForbidden : .fieldMissing, "task.tracking_id", problem)
        }
        if !isPrivate { try ResourceName.check(task.trackingID, "task.tracking_id") }
        guard task.plannedLocation.hasPoint || (task.type == .unavailable && !task.hasPlannedLocation) else {
            throw .missing("task.planned_location", "must have a point")
        }
        try task.plannedLocation.point.check("task.planned_location.point")
        guard task.hasTaskDuration else { throw .missing("task.task_duration", "must be set") }
        guard task.taskDuration.inSeconds >= 0 else { throw .invalid("task.task_duration", "is negative") }
        let allowed = [
            "name", "type", "state", "tracking_id", "planned_location", "task_duration", "target_time_window",
            "task_tracking_view_config", "attributes",
        ]
        if let field = task.setFields.first(where: { !allowed.contains($0) }) {
            throw .forbidden("task.\(field)", "must not be set when a task is created")
        }
        try task.checkOptions()
    }

    /// Creates several tasks, or none.
    mutating func batchCreateTasks(
        _ request: ProtoBatchCreateTasksRequest
    ) throws(EngineError) -> ProtoBatchCreateTasksResponse {
        guard (1...500).contains(request.requests.count) else {
            throw .invalid("requests", "must have 1 to 500 elements")
        }
        var copy = self
        var created: [ProtoTask] = []
        for (index, var one) in request.requests.enumerated() {
            guard one.parent.isEmpty || one.parent == request.parent else {
                throw .invalid("requests[\(index)].parent", "is not the parent of the batch")
            }
            guard !request.hasHeader || !one.hasHeader || one.header == request.header else {
                throw .invalid("requests[\(index)].header", "is not the header of the batch")
            }
            one.parent = request.parent
            created.append(try copy.createTask(one))
        }
        self = copy
        return .with { $0.tasks = created }
    }

    /// Returns a task, with the journey to it if a vehicle is on its way.
    func getTask(_ name: String) throws(EngineError) -> ProtoTask {
        guard let task = tasks[name] else { throw .notFound(name) }
        return response(task)
    }

    private func response(_ task: ProtoTask) -> ProtoTask {
        guard let journey = TaskJourney(task, in: self) else { return task }
        var task = task
        task.journeySharingInfo.lastLocation = journey.vehicle.lastLocation
        task.journeySharingInfo.lastLocationSnappable =
            !journey.vehicle.currentRouteSegment.isEmpty && journey.vehicle.lastLocation.isRoadSnapped.value
        task.journeySharingInfo.remainingVehicleJourneySegments = journey.segments.map { segment in
            // Recipients must not see the stops before theirs.
            var segment = segment
            segment.clearStop()
            return segment
        }
        return task
    }

    /// The fields of a task that each driver's token may change.
    static let taskOutcome: Set<String> = [
        "state", "task_outcome", "task_outcome_time", "task_outcome_location", "task_outcome_location_source",
    ]

    private static let taskOutputOnly: Set<String> = [
        "name", "delivery_vehicle_id", "journey_sharing_info", "task_outcome_location_source",
    ]

    /// Changes a task.
    mutating func updateTask(_ request: ProtoUpdateTaskRequest, at now: Timestamp) throws(EngineError) -> ProtoTask {
        let name = request.task.name
        guard let old = tasks[name] else { throw .notFound(name) }
        let mask = UpdateMask(request.updateMask)
        var task = old
        try mask.apply(from: request.task, to: &task, outputOnly: Self.taskOutputOnly)
        try task.checkUnchanged(from: old)
        try task.checkOptions()
        guard [.open, .closed].contains(task.state) else { throw .invalid("task.state", "must be OPEN or CLOSED") }
        if old.taskOutcome != .unspecified, task.taskOutcome != old.taskOutcome {
            throw .refused(by: .outcomeIsSet, "task.task_outcome", "is set and cannot be changed")
        }
        if old.state == .open, task.state == .closed, isAssigned(old) {
            throw .refused(
                by: .taskIsAssigned,
                "task.state",
                "cannot be set while a vehicle has the task. Remove its stop from the vehicle to close it"
            )
        }
        guard old.state == .open || task.state == .closed else {
            throw .invalid("task.state", "cannot become OPEN again")
        }
        if mask.fields.contains("task_outcome_location") {
            task.taskOutcomeLocationSource = task.hasTaskOutcomeLocation ? .provider : .unspecified
        }
        if task.taskOutcome != .unspecified { complete(&task, at: now) }
        insert(task)
        return response(task)
    }

    /// Sets when and where the outcome was, where the request has not.
    private func complete(_ task: inout ProtoTask, at now: Timestamp) {
        if !task.hasTaskOutcomeTime { task.taskOutcomeTime = now }
        guard !task.hasTaskOutcomeLocation else { return }
        let vehicle = Collection.deliveryVehicles.name(task.deliveryVehicleID, of: task.name.providerID)
        guard let location = deliveryVehicles[vehicle]?.lastLocation, location.hasLocation else { return }
        task.taskOutcomeLocation.point = location.hasRawLocation ? location.rawLocation : location.location
        task.taskOutcomeLocationSource = .lastVehicleLocation
    }

    /// Returns whether a vehicle has the task at one of its stops.
    func isAssigned(_ task: ProtoTask) -> Bool {
        let vehicle = Collection.deliveryVehicles.name(task.deliveryVehicleID, of: task.name.providerID)
        return deliveryVehicles[vehicle]?.taskIDs.contains(task.name.resourceID) ?? false
    }

    /// Deletes a task.
    mutating func deleteTask(_ name: String) throws(EngineError) -> Google_Protobuf_Empty {
        guard let task = tasks[name] else { throw .notFound(name) }
        guard task.state == .closed || !isAssigned(task) else {
            throw EngineError(.taskIsAssigned, "The task is open and assigned to a vehicle.")
        }
        tasks[name] = nil
        untrack(task)
        return Google_Protobuf_Empty()
    }
}

extension ProtoTask {
    /// The name of what a recipient sees of it.
    fileprivate var trackingName: String {
        Collection.taskTrackingInfo.name(trackingID, of: name.providerID)
    }
}
