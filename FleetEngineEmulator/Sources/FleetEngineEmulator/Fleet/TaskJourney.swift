import SwiftProtobuf

/// The way of a vehicle to the stop of a task.
struct TaskJourney {
    let vehicle: ProtoDeliveryVehicle
    /// The segments up to the task's stop.
    let segments: [ProtoVehicleJourneySegment]

    /// Creates the journey to a task; nil if it is closed, or no vehicle is on its way.
    init?(_ task: ProtoTask, in fleet: Fleet) {
        let name = Collection.deliveryVehicles.name(task.deliveryVehicleID, of: task.name.providerID)
        guard task.state == .open, let vehicle = fleet.deliveryVehicles[name]?.withEstimates,
            let last = vehicle.remainingVehicleJourneySegments.firstIndex(where: { segment in
                segment.stop.tasks.contains { $0.taskID == task.name.resourceID }
            })
        else { return nil }
        self.vehicle = vehicle
        segments = Array(vehicle.remainingVehicleJourneySegments[...last])
    }

    /// The way, in metres.
    var distance: Double {
        segments.indices.reduce(0) { sum, index in
            let isReported = index == 0 && vehicle.hasRemainingDistanceMeters
            return sum
                + Double(
                    isReported
                        ? vehicle.remainingDistanceMeters.value : segments[index].drivingDistanceMeters.value
                )
        }
    }

    /// How long the way takes, with the stops on it, in seconds.
    var duration: Double {
        let driving = segments.indices.reduce(0.0) { sum, index in
            let isReported = index == 0 && vehicle.hasRemainingDuration
            return sum + (isReported ? vehicle.remainingDuration : segments[index].drivingDuration).inSeconds
        }
        let stops = segments.dropLast().flatMap(\.stop.tasks).reduce(0) { $0 + $1.taskDuration.inSeconds }
        return driving + stops
    }
}
