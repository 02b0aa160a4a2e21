import FleetToken
import SwiftProtobuf

extension Endpoint where Request == ProtoCreateTaskRequest, Response == ProtoTask {
    static var createTask: Self {
        Self(
            method: .createTask,
            name: \.parent,
            collection: nil,
            need: { request, _, _ in
                Need(.createTask, claims: [.id(.task, request.taskID), .ids(.tasks, [request.taskID])])
            },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.createTask(request) }
        )
    }
}

extension Endpoint where Request == ProtoBatchCreateTasksRequest, Response == ProtoBatchCreateTasksResponse {
    static var batchCreateTasks: Self {
        Self(
            method: .batchCreateTasks,
            name: \.parent,
            collection: nil,
            need: { request, _, _ in
                Need(.createTask, claims: [.every(.task), .ids(.tasks, request.requests.map(\.taskID))])
            },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.batchCreateTasks(request) }
        )
    }
}

extension Endpoint where Request == ProtoGetTaskRequest, Response == ProtoTask {
    static var getTask: Self {
        Self(
            method: .getTask,
            name: \.name,
            collection: .tasks,
            need: { request, name, fleet in
                let tracking = fleet.tasks[request.name]?.trackingID ?? ""
                let tracked = tracking.isEmpty ? [] : [Need.Claim.id(.tracking, tracking)]
                return Need(.getTask, claims: fleet.claims(forTask: request.name) + tracked)
            },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.getTask(request.name) }
        )
    }
}

extension Endpoint where Request == ProtoUpdateTaskRequest, Response == ProtoTask {
    static var updateTask: Self {
        Self(
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
            handle: { fleet, request, _, now throws(EngineError) in try fleet.updateTask(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoListTasksRequest, Response == ProtoListTasksResponse {
    static var listTasks: Self {
        Self(
            method: .listTasks,
            name: \.parent,
            collection: nil,
            need: { _, _, _ in Need(.listTasks, claims: [.every(.task)]) },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.listTasks(request) }
        )
    }
}

extension Endpoint where Request == ProtoDeleteTaskRequest, Response == Google_Protobuf_Empty {
    static var deleteTask: Self {
        Self(
            method: .deleteTask,
            name: \.name,
            collection: .tasks,
            need: { _, name, _ in Need(.deleteTask, claims: [.id(.task, name.id)]) },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.deleteTask(request.name) }
        )
    }
}

extension Endpoint where Request == ProtoGetTaskTrackingInfoRequest, Response == ProtoTaskTrackingInfo {
    static var getTaskTrackingInfo: Self {
        Self(
            method: .getTaskTrackingInfo,
            name: \.name,
            collection: .taskTrackingInfo,
            need: { request, name, fleet in
                // The other form of a recipient's token names the task.
                let tasks = (fleet.tracked[request.name] ?? []).map { Need.Claim.id(.task, $0.resourceID) }
                return Need(.getTaskTrackingInfo, claims: [.id(.tracking, name.id)] + tasks)
            },
            handle: { fleet, request, _, now throws(EngineError) in
                try fleet.getTaskTrackingInfo(request.name, at: now)
            }
        )
    }
}

extension Fleet {
    /// The claims that open a task: its own, or that of the vehicle that has it.
    fileprivate func claims(forTask name: String) -> [Need.Claim] {
        let vehicle = tasks[name]?.deliveryVehicleID ?? ""
        return [.id(.task, name.resourceID)] + (vehicle.isEmpty ? [] : [.id(.deliveryVehicle, vehicle)])
    }
}
