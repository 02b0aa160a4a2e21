import EngineCoding
import FleetToken

extension Fleet {
    /// Creates a task.
    mutating func createTask(_ request: MethodRequest) throws(EngineError) -> Message {
        try createTask(request.body, id: request.parameters.text("taskId"), of: request.provider)
    }

    private mutating func createTask(_ task: Message, id: String, of provider: String) throws(EngineError) -> Message {
        try ResourceName.check(id, "task_id")
        let name = Collection.tasks.name(id, of: provider)
        try task.checkNewTask()
        guard tasks[name] == nil else { throw .alreadyExists(name) }
        var task = task
        task["name"] = .string(name)
        tasks[name] = task
        return task
    }

    /// Creates several tasks, or none.
    mutating func batchCreateTasks(_ request: MethodRequest) throws(EngineError) -> Message {
        let (batch, parent) = (request.body, request.name.text)
        let requests = batch.messages("requests")
        guard (1...500).contains(requests.count) else { throw .invalid("requests", "must have 1 to 500 elements") }
        var copy = self
        var created: [Message] = []
        for (index, one) in requests.enumerated() {
            guard !one.has("parent") || one.text("parent").hasSameBytes(as: parent) else {
                throw .invalid("requests[\(index)].parent", "is not the parent of the batch")
            }
            let task = one.message("task") ?? Message()
            created.append(try copy.createTask(task, id: one.text("taskId"), of: request.provider))
        }
        self = copy
        return ["tasks": .list(created)]
    }

    /// Returns a task, with the journey to it if a vehicle is on its way.
    func getTask(_ request: MethodRequest) throws(EngineError) -> Message {
        guard let task = tasks[request.name.text] else { throw .notFound(request.name.text) }
        return response(task)
    }

    private func response(_ task: Message) -> Message {
        guard let journey = TaskJourney(task, in: self) else { return task }
        var task = task
        // Recipients must not see the stops before theirs.
        let segments = journey.segments.map { segment in
            var segment = segment
            segment["stop"] = nil
            return segment
        }
        let info: Message = [
            "lastLocation": journey.vehicle["lastLocation"],
            "lastLocationSnappable": journey.vehicle.isSnappable ? .bool(true) : nil,
            "remainingVehicleJourneySegments": .list(segments),
        ]
        task["journeySharingInfo"] = info.json
        return task
    }

    /// Changes a task.
    mutating func updateTask(_ request: MethodRequest) throws(EngineError) -> Message {
        let name = request.name.text
        guard let old = tasks[name] else { throw .notFound(name) }
        var task = old
        try request.mask.apply(from: request.body, to: &task, Tables.task)
        try task.checkTask(unchangedFrom: old)
        guard task.has("state") else { throw .invalid("task.state", "must be OPEN or CLOSED") }
        let (before, after) = (old.text("state"), task.text("state"))
        if old.has("taskOutcome"), task["taskOutcome"] != old["taskOutcome"] {
            throw .refused(by: .outcomeIsSet, "task.task_outcome", "is set and cannot be changed")
        }
        if before == "OPEN", after == "CLOSED", isAssigned(old) {
            throw .refused(
                by: .taskIsAssigned,
                "task.state",
                "cannot be set while a vehicle has the task. Remove its stop from the vehicle to close it"
            )
        }
        guard before == "OPEN" || after == "CLOSED" else { throw .invalid("task.state", "cannot become OPEN again") }
        if request.mask.fields.contains("taskOutcomeLocation") {
            task["taskOutcomeLocationSource"] = task.has("taskOutcomeLocation") ? .string("PROVIDER") : nil
        }
        if task.has("taskOutcome") { complete(&task, at: request.now) }
        tasks[name] = task
        return response(task)
    }

    /// Sets when and where the outcome was, where the request has not.
    private func complete(_ task: inout Message, at now: Timestamp) {
        task["taskOutcomeTime"] = task["taskOutcomeTime"] ?? .time(now)
        guard !task.has("taskOutcomeLocation"), let vehicle = vehicle(of: task),
            let point = vehicle.message("lastLocation")?.point("location")
        else { return }
        task["taskOutcomeLocation"] = .members([("point", point.json)])
        task["taskOutcomeLocationSource"] = .string("LAST_VEHICLE_LOCATION")
    }

    private func vehicle(of task: Message) -> Message? {
        deliveryVehicles[Collection.deliveryVehicles.name(task.text("deliveryVehicleId"), of: task.name.providerID)]
    }

    /// Returns whether a vehicle has the task at one of its stops.
    func isAssigned(_ task: Message) -> Bool { vehicle(of: task)?.taskIDs.contains(task.id) ?? false }

    /// Deletes a task.
    mutating func deleteTask(_ request: MethodRequest) throws(EngineError) -> Message {
        let name = request.name.text
        guard let task = tasks[name] else { throw .notFound(name) }
        guard task.text("state") == "CLOSED" || !isAssigned(task) else {
            throw EngineError(.taskIsAssigned, "The task is open and assigned to a vehicle.")
        }
        tasks[name] = nil
        return Message()
    }

    /// The fields that tasks are filtered by, beside their attributes.
    private static let filtered: [String: Filter.Kind] = [
        "delivery_vehicle_id": .text, "tracking_id": .text, "state": .name(Array(Tables.taskStates.dropFirst())),
        "type": .name(Array(Tables.taskTypes.dropFirst())), "task_outcome": .name(Tables.taskOutcomes),
    ]

    /// Returns a page of tasks.
    func listTasks(_ request: MethodRequest) throws(EngineError) -> Message {
        let filter = try Filter(request.parameters.text("filter"), fields: Self.filtered)
        let prefix = Collection.tasks.name("", of: request.provider)
        let matches = tasks.values.filter { task in
            task.name.utf8.starts(with: prefix.utf8)
                && filter.matches { field in
                    guard Self.filtered[field] != nil else { return task.attribute(field) }
                    let value = task.text(field.camelCased)
                    return value.isEmpty && field == "task_outcome" ? Tables.taskOutcomes[0] : value
                }
        }
        return try Page(matches, for: request.parameters).response("tasks", total: matches.count) { $0 }
    }
}

extension Message {
    /// Checks a task that is to be created.
    fileprivate func checkNewTask() throws(EngineError) {
        let type = text("type")
        guard !type.isEmpty else { throw .missing("task.type", "must be set") }
        guard text("state") == "OPEN" else { throw .invalid("task.state", "must be OPEN") }
        let isPrivate = type == "UNAVAILABLE" || type == "SCHEDULED_STOP"
        guard has("trackingId") != isPrivate else {
            let problem = isPrivate ? "must not be set for this type" : "must be set for this type"
            throw .refused(by: isPrivate ? .fieldForbidden : .fieldMissing, "task.tracking_id", problem)
        }
        if !isPrivate { try ResourceName.check(text("trackingId"), "task.tracking_id") }
        guard plannedPoint != nil || (type == "UNAVAILABLE" && !has("plannedLocation")) else {
            throw .missing("task.planned_location", "must have a point")
        }
        guard let duration = duration("taskDuration") else { throw .missing("task.task_duration", "must be set") }
        guard duration >= 0 else { throw .invalid("task.task_duration", "is negative") }
        try checkCreation(Tables.task)
        try checkTask()
    }

    /// Checks a task's time window, and that what is fixed has not changed.
    fileprivate func checkTask(unchangedFrom old: Message? = nil) throws(EngineError) {
        for field in Tables.task.names(.fixed).sorted() {
            guard let old, self[field] != old[field] else { continue }
            throw .refused(by: .fieldImmutable, "task.\(field.snakeCased)", "cannot be changed")
        }
        for field in ["startTime", "endTime"] where message("targetTimeWindow")?.has(field) == false {
            throw .missing("task.target_time_window.\(field.snakeCased)", "must be set")
        }
    }
}
