/// Whether a trip or shipment is followed; the raw values are those of Google's `GMTCTripModelState`.
public enum FollowState: Int, Sendable {
    /// It is no longer followed, because it has ended.
    case inactive = 0
    /// It is followed.
    case active = 1
}
