public import Foundation

extension FleetEngine {
    /// Follows a trip until it is complete or canceled, as the Consumer SDK's `GMTCTripModel` does.
    ///
    /// One request is under way at a time, and the next begins an interval after the end of the last. After a server or network
    /// error following recovers by itself. Errors that the app must resolve are reported with each attempt, and each doubles the
    /// pause, up to a minute.
    ///
    /// Following stops when the task that reads the stream is cancelled, or nothing reads it any more. A slow reader loses the
    /// oldest of more than 256 events.
    ///
    /// - Parameters:
    ///   - trip: The trip's ID.
    ///   - interval: The pause between the end of one request and the start of the next, in seconds: 5, which is also the minimum.
    /// - Returns: The updates, which end with the trip.
    public func updates(ofTrip trip: String, every interval: TimeInterval = 5) -> AsyncStream<FollowEvent<Trip>> {
        let request = EngineRequest(path: ["trips", trip], purpose: .trip(trip))
        return follow(request, every: interval) { message throws(FleetEngineError) in
            try Trip(message)
        } isOver: {
            $0.tripStatus.isTerminal
        }
    }

    /// Follows a shipment by its tracking ID until its task is closed, as ``updates(ofTrip:every:)`` follows a trip.
    public func updates(
        ofShipment tracking: String,
        every interval: TimeInterval = 5
    ) -> AsyncStream<FollowEvent<TaskTrackingInfo>> {
        let request = EngineRequest(path: ["taskTrackingInfo", tracking], purpose: .shipment(tracking))
        return follow(request, every: interval) { message throws(FleetEngineError) in
            try TaskTrackingInfo(message)
        } isOver: {
            $0.state == .closed
        }
    }

    private func follow<Snapshot: Equatable & Sendable>(
        _ request: EngineRequest,
        every interval: Seconds,
        read: @escaping @Sendable (ProtoObject) throws(FleetEngineError) -> Snapshot,
        isOver: @escaping @Sendable (Snapshot) -> Bool
    ) -> AsyncStream<FollowEvent<Snapshot>> {
        let policy = PollPolicy(interval: interval)
        return AsyncStream(bufferingPolicy: .bufferingNewest(256)) { [client] events in
            let polling = Task {
                var known: Snapshot?
                var (isFailing, failures) = (false, 0)
                events.yield(.state(.active))
                while !Task.isCancelled {
                    let pause: Seconds
                    do throws(FleetEngineError) {
                        let snapshot = try read(ProtoObject(body: try await client.send(request)))
                        if isFailing { events.yield(.recovered) }
                        if snapshot != known { events.yield(.updated(snapshot)) }
                        (known, isFailing, failures) = (snapshot, false, 0)
                        if isOver(snapshot) { break }
                        pause = policy.interval
                    } catch {
                        isFailing = true
                        if error.needsAction { failures += 1 }
                        events.yield(.failed(error))
                        pause = policy.pause(after: error, failures: failures, random: client.configuration.random())
                    }
                    do { try await client.configuration.sleep(pause) } catch { break }
                }
                events.yield(.state(.inactive))
                events.finish()
            }
            events.onTermination = { _ in polling.cancel() }
        }
    }
}
