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

/// Whether a trip or shipment is followed; the raw values are those of Google's `GMTCTripModelState`.
public enum FollowState: Int, Sendable {
    /// It is no longer followed, because it has ended.
    case inactive = 0
    /// It is followed.
    case active = 1
}
