/// An event of following a trip or shipment.
public enum FollowEvent<Snapshot: Sendable>: Sendable {
    /// Following has started or stopped.
    case state(FollowState)
    /// The trip or shipment has changed.
    case updated(Snapshot)
    /// A request failed; following continues.
    case failed(FleetEngineError)
    /// A request succeeded after one or more had failed, whether or not anything has changed.
    case recovered
}
