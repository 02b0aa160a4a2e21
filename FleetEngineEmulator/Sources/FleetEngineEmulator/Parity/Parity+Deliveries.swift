extension Parity {
    /// What Google's Python package `google-maps-fleetengine-delivery` states, each with checks in the tests.
    static let deliveries = documented([
        "CreateDeliveryVehicleRequest.delivery_vehicle": "only type, location and attributes; others are errors",
        "CreateDeliveryVehicleRequest.delivery_vehicle_id": "1 to 64 characters in NFC without `/ : ? , #`",
        "DeliveryVehicle.type": "`AUTO` by default",
        "DeliveryVehicleAttribute": "at most 100 with unique keys; `key:value` has at most 256 characters",
        "DeliveryVehicleAttribute.string_value": "identical to `value` if both are set; answers have both",
        "DeliveryVehicleLocation": "sensors, defaults, headings and input only fields as of a vehicle's location",
        "DeliveryVehicle.past_locations": "input only",
        "UpdateDeliveryVehicleRequest.delivery_vehicle": "the name cannot be updated; at least one field in the mask",
        "DeliveryVehicle.remaining_distance_meters":
            "ignored without `current_route_segment`, as are the duration and the segment's end",
        "DeliveryVehicle.current_route_segment":
            "the way to the first stop in tasks' answers, unless it ends at another place",
        "VehicleStop.planned_location": "required",
        "VehicleStop.TaskInfo.task_id": "1 to 64 characters in NFC without `/ : ? , #`",
        "VehicleStop.TaskInfo.task_duration": "output only: that of the task",
        "VehicleStop.TaskInfo.target_time_window": "output only, and only from `GetDeliveryVehicle`",
        "VehicleJourneySegment": "distance, duration and path are output only, planned when the stop was added",
        "UpdateDeliveryVehicle": "assigns the tasks of its stops, which are all that are kept",
        "ListDeliveryVehiclesResponse.delivery_vehicles": "without their journeys",
        "ListDeliveryVehiclesRequest.filter": "of attributes, as strings; at most 50 restrictions",
        "ListDeliveryVehiclesRequest.viewport": "vehicles whose last location is in it",
        "ListDeliveryVehiclesRequest.page_token": "all other parameters must be those of the call that returned it",
        "DeleteDeliveryVehicle": "`FAILED_PRECONDITION` if the vehicle has open tasks",
    ])

    /// What it states of tasks.
    static let tasks = documented([
        "CreateTaskRequest.task": "needs the fields that it names; those that it does not name are errors",
        "CreateTaskRequest.task_id": "1 to 64 characters in NFC without `/ : ? , #`",
        "Task.tracking_id": "required, and not for breaks and scheduled stops; immutable",
        "Task.planned_location": "required but for breaks; immutable",
        "Task.type": "immutable",
        "Task.task_duration": "required; immutable",
        "TimeWindow": "needs start and end",
        "TaskTrackingViewConfig.VisibilityOption": "`always` and `never` cannot be false; thresholds are inclusive",
        "TaskAttribute": "unique keys without a colon; `key:value` has at most 256 characters",
        "UpdateTaskRequest.task": "the fields that Fleet Engine maintains cannot be updated",
        "UpdateTaskRequest.update_mask": "at least one field",
        "Task.task_outcome": "cannot be changed once it is set",
        "Task.task_outcome_location": "by default the raw location of the vehicle",
        "Task.task_outcome_location_source": "`PROVIDER` or `LAST_VEHICLE_LOCATION`, by Fleet Engine alone",
        "Task.state": "an assigned task is closed by removing its stop, not by an update",
        "Task.journey_sharing_info": "the way to the stop, without stops; not for closed tasks",
        "Task.JourneySharingInfo.last_location_snappable": "false without a location or a segment",
        "BatchCreateTasksRequest": "1 to 500 tasks, with the batch's parent and header",
        "ListTasksRequest.page_token": "all other parameters must be those of the call that returned it",
        "ListTasksResponse.total_size": "counts all pages",
        "DeleteTask": "`FAILED_PRECONDITION` if the task is open and a vehicle has it",
        "TaskTrackingInfo.remaining_stop_count": "1 if the next stop is the task's",
        "TaskTrackingInfo.estimated_arrival_time": "includes the stops before",
        "TaskTrackingInfo.estimated_task_completion_time": "the arrival, and the task's duration",
        "DeliveryRequestHeader.region_code": "required in a header, which is optional",
    ])
}
