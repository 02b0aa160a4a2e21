import SwiftProtobuf

extension Endpoints {
    static let createTask = Endpoint<ProtoCreateTaskRequest, ProtoTask>(
        method: .createTask,
        name: \.parent,
        need: { request, _, _ in
            Need(.createTask, claims: [.id(.task, request.taskID), .ids(.tasks, [request.taskID])])
        },
        handle: { fleet, request, _ throws(EngineError) in try fleet.createTask(request) }
    )

    static let batchCreateTasks = Endpoint<ProtoBatchCreateTasksRequest, ProtoBatchCreateTasksResponse>(
        method: .batchCreateTasks,
        name: \.parent,
        need: { request, _, _ in
            Need(.createTask, claims: [.every(.task), .ids(.tasks, request.requests.map(\.taskID))])
        },
        handle: { fleet, request, _ throws(EngineError) in try fleet.batchCreateTasks(request) }
    )

    static let getTask = Endpoint<ProtoGetTaskRequest, ProtoTask>(
        method: .getTask,
        name: \.name,
        collection: .tasks,
        need: { request, name, fleet in
            let tracking = fleet.tasks[request.name]?.trackingID ?? ""
            let tracked = tracking.isEmpty ? [] : [Need.Claim.id(.tracking, tracking)]
            return Need(.getTask, claims: fleet.claims(forTask: request.name) + tracked)
        },
        handle: { fleet, request, _ throws(EngineError) in try fleet.getTask(request.name) }
    )

    static let updateTask = Endpoint<ProtoUpdateTaskRequest, ProtoTask>(
        method: .updateTask,
        name: \.task.name,
        collection: .tasks,
        need: { request, _, fleet in
            let isOutcome = UpdateMask(request.updateMask).fields.isSubset(of: Fleet.taskOutcome)
            return Need(
                isOutcome ? .updateTaskOutcome : .updateTask,
                claims: fleet.claims(forTask: request.task.name)
            )
        },
        handle: { fleet, request, now throws(EngineError) in try fleet.updateTask(request, at: now) }
    )

    static let listTasks = Endpoint<ProtoListTasksRequest, ProtoListTasksResponse>(
        method: .listTasks,
        name: \.parent,
        need: { _, _, _ in Need(.listTasks, claims: [.every(.task)]) },
        handle: { fleet, request, _ throws(EngineError) in try fleet.listTasks(request) }
    )

    static let deleteTask = Endpoint<ProtoDeleteTaskRequest, Google_Protobuf_Empty>(
        method: .deleteTask,
        name: \.name,
        collection: .tasks,
        need: { _, name, _ in Need(.deleteTask, claims: [.id(.task, name.id)]) },
        handle: { fleet, request, _ throws(EngineError) in try fleet.deleteTask(request.name) }
    )

    static let getTaskTrackingInfo = Endpoint<ProtoGetTaskTrackingInfoRequest, ProtoTaskTrackingInfo>(
        method: .getTaskTrackingInfo,
        name: \.name,
        collection: .taskTrackingInfo,
        need: { request, name, fleet in
            // The other form of a recipient's token names the task.
            let tasks = (fleet.tracked[request.name] ?? []).map { Need.Claim.id(.task, $0.resourceID) }
            return Need(.getTaskTrackingInfo, claims: [.id(.tracking, name.id)] + tasks)
        },
        handle: { fleet, request, now throws(EngineError) in
            try fleet.getTaskTrackingInfo(request.name, at: now)
        }
    )
}

extension Fleet {
    /// The claims that grant access to a task: its own, or that of the vehicle that has it.
    fileprivate func claims(forTask name: String) -> [Need.Claim] {
        let vehicle = tasks[name]?.deliveryVehicleID ?? ""
        return [.id(.task, name.resourceID)] + (vehicle.isEmpty ? [] : [.id(.deliveryVehicle, vehicle)])
    }
}
