public import TokenProvider

/// Follows a shipment by its tracking ID: the twin of ``TripModel`` for deliveries.
///
/// It polls with the same rules, until the task is closed. Keep a reference to it as long as it is followed.
public final class ShipmentModel: Sendable {
    /// The tracking ID.
    public let trackingID: ResourceID
    private let follower: Follower<TaskTrackingInfo>

    init(client: EngineClient, tracking: ResourceID, options: TripModelOptions) {
        trackingID = tracking
        follower = Follower(client, options: options) { _ in
            EngineRequest(
                path: ["taskTrackingInfo", tracking.rawValue],
                scope: .deliveryConsumer(tracking: tracking)
            )
        } read: { message, _ throws(FleetEngineError) in
            try TaskTrackingInfo(message)
        }
    }

    /// The shipment as Fleet Engine last described it; nil before the first response.
    public var shipment: TaskTrackingInfo? { follower.snapshot }

    /// Whether the shipment is being followed.
    public var state: TripModelState { follower.modelState }

    /// Registers a subscriber, which is held weakly; registering it twice has no effect.
    ///
    /// A subscriber that comes later gets what is known at once. Its methods are called on the main actor.
    public func register(_ subscriber: any ShipmentModelSubscriber) {
        follower.register(subscriber) { [weak self, weak subscriber] event, isSubscribed in
            guard let self, let subscriber, isSubscribed() else { return }
            switch event {
            case .state(let state): subscriber.shipmentModel(self, didUpdate: state)
            case .updated(let shipment, _): subscriber.shipmentModel(self, didUpdate: shipment)
            case .failed(let error): subscriber.shipmentModel(self, didFailWithError: error)
            case .recovered: subscriber.shipmentModelDidRecover(self)
            }
        }
    }

    /// Unregisters a subscriber; called on the main actor, no method of it is called after that.
    ///
    /// It may be called in the subscriber's `deinit`.
    public func unregisterSubscriber(_ subscriber: any ShipmentModelSubscriber) {
        follower.unregister(subscriber)
    }

    /// Requests the shipment now, as ``TripModel/refresh()`` does.
    public func refresh() {
        follower.refresh()
    }

    /// The updates of the shipment, as ``TripModel/updates``.
    public var updates: AsyncStream<ShipmentModelEvent> {
        follower.stream(of: self) { event in
            switch event {
            case .state(let state): .state(state)
            case .updated(let shipment, _): .updated(shipment)
            case .failed(let error): .failed(error)
            case .recovered: .recovered
            }
        }
    }
}

/// Receives the updates of a shipment; each method is optional.
@MainActor
public protocol ShipmentModelSubscriber: AnyObject, Sendable {
    /// Following has started or stopped.
    func shipmentModel(_ model: ShipmentModel, didUpdate sessionState: TripModelState)
    /// The shipment has changed.
    func shipmentModel(_ model: ShipmentModel, didUpdate shipment: TaskTrackingInfo)
    /// A request failed; following continues.
    func shipmentModel(_ model: ShipmentModel, didFailWithError error: FleetEngineError)
    /// A request succeeded after one or more had failed, whether or not the shipment has changed.
    func shipmentModelDidRecover(_ model: ShipmentModel)
}

extension ShipmentModelSubscriber {
    /// Does nothing.
    public func shipmentModel(_ model: ShipmentModel, didUpdate sessionState: TripModelState) {}
    /// Does nothing.
    public func shipmentModel(_ model: ShipmentModel, didUpdate shipment: TaskTrackingInfo) {}
    /// Does nothing.
    public func shipmentModel(_ model: ShipmentModel, didFailWithError error: FleetEngineError) {}
    /// Does nothing.
    public func shipmentModelDidRecover(_ model: ShipmentModel) {}
}

/// An update of a shipment.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ShipmentModelEvent: Sendable {
    /// Following has started or stopped.
    case state(TripModelState)
    /// The shipment has changed.
    case updated(TaskTrackingInfo)
    /// A request failed.
    case failed(FleetEngineError)
    /// A request succeeded after one or more had failed, whether or not the shipment has changed.
    case recovered
}
