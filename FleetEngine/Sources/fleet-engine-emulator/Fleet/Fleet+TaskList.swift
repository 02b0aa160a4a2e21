import SwiftProtobuf

extension Fleet {
    /// The fields that tasks are filtered by, beside their attributes.
    private static let taskFilter: [String: Filter.Kind] = [
        "delivery_vehicle_id": .text,
        "tracking_id": .text,
        "state": .name(["OPEN", "CLOSED"]),
        "type": .name(["PICKUP", "DELIVERY", "SCHEDULED_STOP", "UNAVAILABLE"]),
        "task_outcome": .name(["TASK_OUTCOME_UNSPECIFIED", "SUCCEEDED", "FAILED"]),
        "task_outcome_time": .time,
        "task_outcome_location.point.latitude": .number,
        "task_outcome_location.point.longitude": .number,
        "task_outcome_location_source": .name(["PROVIDER", "LAST_VEHICLE_LOCATION"]),
    ]

    /// Returns a page of tasks.
    func listTasks(_ request: ProtoListTasksRequest) throws(EngineError) -> ProtoListTasksResponse {
        let filter = try Filter(request.filter, fields: Self.taskFilter)
        let prefix = Collection.tasks.name("", of: request.parent.resourceID)
        let matches = tasks.values.filter { task in
            task.name.utf8.starts(with: prefix.utf8) && filter.matches { task.value(of: $0) }
        }
        let page = try Page(matches, by: \.name, for: request)
        return .with {
            $0.tasks = page.elements
            $0.nextPageToken = page.nextToken
            $0.totalSize = Int64(matches.count)
        }
    }
}

extension ProtoTask {
    /// The value of a field that tasks are filtered by.
    fileprivate func value(of field: String) -> Filter.Value? {
        switch field {
        case "delivery_vehicle_id": .text(deliveryVehicleID)
        case "tracking_id": .text(trackingID)
        case "state": .text(state.name)
        case "type": .text(type.name)
        case "task_outcome": .text(taskOutcome == .unspecified ? "TASK_OUTCOME_UNSPECIFIED" : taskOutcome.name)
        case "task_outcome_location_source": .text(taskOutcomeLocationSource.name)
        case "task_outcome_time": hasTaskOutcomeTime ? .number(taskOutcomeTime.inSeconds) : nil
        case "task_outcome_location.point.latitude":
            hasTaskOutcomeLocation ? .number(taskOutcomeLocation.point.latitude) : nil
        case "task_outcome_location.point.longitude":
            hasTaskOutcomeLocation ? .number(taskOutcomeLocation.point.longitude) : nil
        default: attributes.value(of: field)
        }
    }
}

extension SwiftProtobuf.Enum {
    /// The name in the `.proto` file, in capitals with underscores.
    fileprivate var name: String { "\(self)".capitals }
}
