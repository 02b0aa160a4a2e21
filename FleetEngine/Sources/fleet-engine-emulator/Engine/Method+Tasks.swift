import HTTPTypes

extension Method {
    static let tasks = [
        Method(
            name: "CreateTask",
            verb: .post,
            collection: .tasks,
            parameters: Tables.creation("taskId"),
            body: .resource(Tables.task),
            need: { request, _ in
                let id = request.parameters.text("taskId")
                return Need(.createTask, claims: [.id(.task, id), .ids(.tasks, [id])])
            },
            handle: { fleet, request throws(EngineError) in
                try fleet.createTask(request.body, id: request.parameters.text("taskId"), of: request.provider)
            }
        ),
        Method(
            name: "BatchCreateTasks",
            verb: .post,
            collection: .tasks,
            action: "batchCreate",
            body: .request(Tables.batchCreateTasks),
            need: { request, _ in
                let ids = request.body.messages("requests").map { $0.text("taskId") }
                return Need(.createTask, claims: [.every(.task), .ids(.tasks, ids)])
            },
            handle: { fleet, request throws(EngineError) in try fleet.batchCreateTasks(request) }
        ),
        Method(
            name: "GetTask",
            verb: .get,
            collection: .tasks,
            isOfOne: true,
            need: { request, fleet in
                let tracking = fleet.tasks[request.name.text]?.text("trackingId") ?? ""
                let tracked = tracking.isEmpty ? [] : [Need.Claim.id(.tracking, tracking)]
                return Need(.getTask, claims: fleet.claims(for: request.name) + tracked)
            },
            handle: { fleet, request throws(EngineError) in try fleet.getTask(request) }
        ),
        Method(
            name: "UpdateTask",
            verb: .patch,
            collection: .tasks,
            isOfOne: true,
            parameters: Tables.update,
            body: .resource(Tables.task),
            need: { request, fleet in
                let isOutcome = request.mask.fields.isSubset(of: Tables.task.names(.report))
                return Need(isOutcome ? .updateTaskOutcome : .updateTask, claims: fleet.claims(for: request.name))
            },
            handle: { fleet, request throws(EngineError) in try fleet.updateTask(request) }
        ),
        Method(
            name: "DeleteTask",
            verb: .delete,
            collection: .tasks,
            isOfOne: true,
            need: { request, _ in Need(.deleteTask, claims: [.id(.task, request.name.id)]) },
            handle: { fleet, request throws(EngineError) in try fleet.deleteTask(request) }
        ),
        Method(
            name: "ListTasks",
            verb: .get,
            collection: .tasks,
            parameters: Tables.listTasks,
            need: { _, _ in Need(.listTasks, claims: [.every(.task)]) },
            handle: { fleet, request throws(EngineError) in try fleet.listTasks(request) }
        ),
        Method(
            name: "GetTaskTrackingInfo",
            verb: .get,
            collection: .taskTrackingInfo,
            isOfOne: true,
            need: { request, fleet in
                // The other form of a recipient's token names the task.
                let tasks = (fleet.tracked[request.name.text] ?? []).map { Need.Claim.id(.task, $0.resourceID) }
                return Need(.getTaskTrackingInfo, claims: [.id(.tracking, request.name.id)] + tasks)
            },
            handle: { fleet, request throws(EngineError) in try fleet.getTaskTrackingInfo(request) }
        ),
    ]
}

extension Fleet {
    /// The claims that grant access to a task: its own, or that of the vehicle that has it.
    fileprivate func claims(for name: ResourceName) -> [Need.Claim] {
        let vehicle = tasks[name.text]?.text("deliveryVehicleId") ?? ""
        return [.id(.task, name.id)] + (vehicle.isEmpty ? [] : [.id(.deliveryVehicle, vehicle)])
    }
}
