import SwiftProtobuf

extension ProtoTask {
    /// Checks what may be set when a task is created, and later.
    func checkOptions() throws(EngineError) {
        if hasTargetTimeWindow {
            guard targetTimeWindow.hasStartTime else {
                throw .missing("task.target_time_window.start_time", "must be set")
            }
            guard targetTimeWindow.hasEndTime else { throw .missing("task.target_time_window.end_time", "must be set") }
        }
        try attributes.check("task.attributes")
        let view = taskTrackingViewConfig
        let options = [
            ("route_polyline_points_visibility", view.routePolylinePointsVisibility),
            ("estimated_arrival_time_visibility", view.estimatedArrivalTimeVisibility),
            ("estimated_task_completion_time_visibility", view.estimatedTaskCompletionTimeVisibility),
            ("remaining_driving_distance_visibility", view.remainingDrivingDistanceVisibility),
            ("remaining_stop_count_visibility", view.remainingStopCountVisibility),
            ("vehicle_location_visibility", view.vehicleLocationVisibility),
        ]
        for (name, option) in options {
            let field =
                switch option.visibilityOption {
                case .always(false)?: "always"
                case .never(false)?: "never"
                default: ""
                }
            guard field.isEmpty else {
                throw .invalid("task.task_tracking_view_config.\(name).\(field)", "cannot be false")
            }
        }
    }

    /// Checks that what is immutable has not changed.
    func checkUnchanged(from old: Self) throws(EngineError) {
        let fields = [
            ("type", type == old.type), ("tracking_id", trackingID.hasSameBytes(as: old.trackingID)),
            ("planned_location", plannedLocation == old.plannedLocation),
            ("task_duration", taskDuration == old.taskDuration),
        ]
        for (field, isSame) in fields where !isSame {
            throw .immutable("task.\(field)", "cannot be changed")
        }
    }
}
