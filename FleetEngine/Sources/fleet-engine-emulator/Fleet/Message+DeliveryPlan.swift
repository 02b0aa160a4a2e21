import FleetToken

// The stops of a delivery vehicle and the routes between them.

extension Message {
    /// The stops of a delivery vehicle, each with the route to it.
    var segments: [Message] {
        get { messages("remainingVehicleJourneySegments") }
        set { self["remainingVehicleJourneySegments"] = .list(newValue) }
    }

    /// The stop at the end of a segment.
    var stop: Message { message("stop") ?? Message() }

    /// Where a stop or a task is.
    var plannedPoint: Point? { message("plannedLocation")?.point("point") }

    /// The IDs of the tasks of a segment.
    var segmentTaskIDs: [String] { stop.messages("tasks").map { $0.text("taskId") } }

    /// The IDs of the tasks of all stops of a delivery vehicle.
    var taskIDs: [String] { segments.flatMap(\.segmentTaskIDs) }

    /// Returns a segment with a changed stop.
    func withStop(_ change: (inout Message) -> Void) -> Message {
        var (segment, stop) = (self, self.stop)
        change(&stop)
        segment["stop"] = stop.json
        return segment
    }

    /// Sets the route of a segment, which is a straight line.
    mutating func setRoute(from start: Point) {
        guard let end = stop.plannedPoint else { return }
        let meters = Estimate.distance(start, end)
        self["drivingDistanceMeters"] = .meters(meters)
        self["drivingDuration"] = .duration(Estimate.duration(meters: meters))
        self["path"] = .list([start, end])
    }

    /// Checks the locations and tasks of a delivery vehicle's stops.
    func checkStops() throws(EngineError) {
        for (index, segment) in segments.enumerated() {
            let path = "delivery_vehicle.remaining_vehicle_journey_segments[\(index)].stop"
            guard segment.stop.plannedPoint != nil else {
                throw .missing("\(path).planned_location", "must have a point")
            }
            for (index, id) in segment.segmentTaskIDs.enumerated() {
                try ResourceName.check(id, "\(path).tasks[\(index)].task_id")
            }
        }
    }

    /// Plans the route to each stop of a delivery vehicle from the stop before it.
    ///
    /// The route to the first stop is kept if it was planned before.
    mutating func planRoutes(from old: Self) {
        var last = message("lastLocation")?.point("location")
        segments = segments.enumerated().map { index, sent in
            var segment: Message = ["stop": sent.plannedStop.json]
            let known = old.segments.first { $0.has("path") && $0.isSameStop(as: segment) }
            if index == 0, let known {
                segment = known
                segment["stop"] = sent.plannedStop.json
            }
            if let last, !segment.has("path") { segment.setRoute(from: last) }
            last = segment.stop.plannedPoint
            return segment
        }
    }

    /// Plans the route to the first stop where the vehicle had no location when it got the stop.
    mutating func planFirstRoute() {
        var planned = segments
        guard planned.first?.has("path") == false, let here = message("lastLocation")?.point("location") else { return }
        planned[0].setRoute(from: here)
        segments = planned
    }

    /// The stop of a segment without what only responses have.
    fileprivate var plannedStop: Message {
        var stop = stop
        stop["tasks"] = .list(segmentTaskIDs.map { ["taskId": .string($0)] as Message })
        return stop
    }

    /// Returns whether a segment leads to the same location with the same tasks.
    fileprivate func isSameStop(as other: Self) -> Bool {
        stop.plannedPoint == other.stop.plannedPoint && segmentTaskIDs == other.segmentTaskIDs
    }
}

extension [Message] {
    /// Returns whether these are old segments with stops done, or with another state of the first stop: all that a
    /// driver who is not trusted may change.
    func isProgress(from old: Self) -> Bool {
        guard count <= old.count else { return false }
        return zip(self, old.suffix(count)).enumerated().allSatisfy { index, pair in
            var (new, old) = (pair.0.plannedStop, pair.1.plannedStop)
            if index == 0 {
                new["state"] = nil
                old["state"] = nil
            }
            return new == old
        }
    }
}
