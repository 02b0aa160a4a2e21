/// Follows a shipment by its tracking ID: the twin of ``TripModel`` for deliveries.
///
/// It polls with the same rules, until the task is closed.
public final class ShipmentModel: Sendable {
    /// The tracking ID.
    public let trackingID: String
    private let follower: Follower<TaskTrackingInfo>

    init(client: EngineClient, tracking: String, interval: Seconds) {
        trackingID = tracking
        follower = Follower(client, interval: interval) { _ in
            EngineRequest(
                path: ["taskTrackingInfo", tracking],
                purpose: .shipment(tracking)
            )
        } read: { message, _ throws(FleetEngineError) in
            try TaskTrackingInfo(message)
        }
    }

    /// The shipment as Fleet Engine last described it; nil before the first response.
    public var shipment: TaskTrackingInfo? { follower.snapshot }

    /// Whether the shipment is being followed.
    public var state: TripModelState { follower.modelState }

    /// Requests the shipment now, as ``TripModel/refresh()`` does.
    public func refresh() {
        follower.refresh()
    }

    /// The updates of the shipment, as ``TripModel/updates``.
    public var updates: AsyncStream<ModelEvent<TaskTrackingInfo>> { follower.stream(of: self) }
}
