import FleetEngineClient

/// Reads the updates of a trip or shipment, and writes each down as a line.
final class UpdateReader: Sendable {
    let log = Journal<String>()
    private let task: Task<Void, Never>

    init<Snapshot>(_ updates: AsyncStream<ModelEvent<Snapshot>>, _ line: @escaping @Sendable (Snapshot) -> String) {
        let log = log
        task = Task {
            for await event in updates {
                switch event {
                case .state(let state): log.append("state \(state)")
                case .updated(let snapshot): log.append(line(snapshot))
                case .failed(let error): log.append("failed \(error.code.rawValue)")
                case .recovered: log.append("recovered")
                @unknown default: log.append("unknown")
                }
            }
        }
    }

    convenience init(_ model: TripModel) {
        self.init(model.updates) { "\($0.tripStatus)" }
    }

    /// Stops reading, and waits until the stream has ended.
    func stop() async {
        task.cancel()
        await task.value
    }
}
