import SwiftProtobuf

extension ProtoDeliveryVehicle {
    /// The IDs of the tasks of all stops.
    var taskIDs: [String] { remainingVehicleJourneySegments.flatMap(\.stop.tasks).map(\.taskID) }

    /// Checks and completes the fields that were sent, and removes what only requests have.
    mutating func normalize(_ fields: Set<String>, at now: Timestamp) throws(EngineError) {
        if fields.contains("last_location"), hasLastLocation {
            try lastLocation.check("delivery_vehicle.last_location")
            lastLocation = lastLocation.received(at: now)
        }
        if fields.contains("past_locations") {
            for (index, location) in pastLocations.enumerated() {
                try location.check("delivery_vehicle.past_locations[\(index)]")
            }
        }
        pastLocations = []
        if fields.contains("attributes") {
            try attributes.check("delivery_vehicle.attributes", maximum: 100, allowsColon: true)
            attributes = attributes.map(\.normalized)
        }
        // These are about the segment, and ignored without one.
        if currentRouteSegment.isEmpty {
            clearCurrentRouteSegmentEndPoint()
            clearRemainingDistanceMeters()
            clearRemainingDuration()
        }
    }

    /// Checks the places and tasks of the stops.
    func checkStops() throws(EngineError) {
        for (index, segment) in remainingVehicleJourneySegments.enumerated() {
            let path = "delivery_vehicle.remaining_vehicle_journey_segments[\(index)].stop"
            guard segment.stop.plannedLocation.hasPoint else {
                throw .missing("\(path).planned_location", "must have a point")
            }
            try segment.stop.plannedLocation.point.check("\(path).planned_location.point")
            for (index, task) in segment.stop.tasks.enumerated() {
                try ResourceName.check(task.taskID, "\(path).tasks[\(index)].task_id")
            }
        }
    }

    /// Plans the way to each stop from the stop before it; the first one that was planned before stays as it was then.
    mutating func plan(from old: Self) {
        var last = hasLastLocation ? lastLocation.location : nil
        for index in remainingVehicleJourneySegments.indices {
            let stop = remainingVehicleJourneySegments[index].stop.planned
            let known = old.remainingVehicleJourneySegments.first { $0.stop.isSame(as: stop) && !$0.path.isEmpty }
            var segment = ProtoVehicleJourneySegment()
            if index == 0, let known { segment = known }
            segment.stop = stop
            if let last, segment.path.isEmpty { segment.complete(from: last) }
            remainingVehicleJourneySegments[index] = segment
            last = stop.plannedLocation.point
        }
    }

    /// Plans the way to the first stop where the vehicle had no location when it got the stop.
    mutating func beginPlan() {
        guard remainingVehicleJourneySegments.first?.path.isEmpty == true, hasLastLocation else { return }
        remainingVehicleJourneySegments[0].complete(from: lastLocation.location)
    }
}

extension ProtoVehicleStop {
    /// The stop without what only responses have.
    fileprivate var planned: Self {
        var stop = self
        stop.tasks = tasks.map { task in .with { $0.taskID = task.taskID } }
        return stop
    }

    /// Returns whether it is the same place with the same tasks.
    fileprivate func isSame(as other: Self) -> Bool {
        plannedLocation == other.plannedLocation && tasks.map(\.taskID) == other.tasks.map(\.taskID)
    }
}

extension ProtoVehicleJourneySegment {
    /// Sets the way, which is a straight line.
    mutating func complete(from start: ProtoLatLng) {
        let end = stop.plannedLocation.point
        let meters = Estimate.distance(start, end)
        drivingDistanceMeters = .init(meters: meters)
        drivingDuration = .init(secondsRounded: Estimate.duration(meters: meters))
        path = [start, end]
    }
}

extension [ProtoVehicleJourneySegment] {
    /// Returns whether these are old segments with stops done, or with another state of the first stop: all that a
    /// driver who is not trusted may change.
    func isProgress(from old: Self) -> Bool {
        guard count <= old.count else { return false }
        return zip(self, old.suffix(count)).enumerated().allSatisfy { index, pair in
            var (new, old) = (pair.0.stop.planned, pair.1.stop.planned)
            if index == 0 {
                new.state = .unspecified
                old.state = .unspecified
            }
            return new == old
        }
    }
}
