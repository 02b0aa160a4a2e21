public import Foundation

/// A shipment as Fleet Engine last described it to its recipient.
///
/// A field that the fleet hides from recipients is nil.
public struct TaskTrackingInfo: Hashable, Sendable {
    /// The name: `providers/{provider_id}/taskTrackingInfo/{tracking_id}`.
    public var name = ""
    /// The tracking ID.
    public var trackingID = ""
    /// The state of the task.
    public var state = TaskState.unknown
    /// Where the vehicle is.
    public var vehicleLocation: VehicleLocation?
    /// The route to the task.
    public var route: [LatLng]?
    /// The number of stops until the task's, which counts: 1 means that it is the next.
    public var remainingStopCount: Int32?
    /// The distance to the task, in meters.
    public var remainingDrivingDistance: Int32?
    /// When the vehicle is expected.
    public var estimatedArrivalTime: Date?
    /// When the task is expected to be done.
    public var estimatedTaskCompletionTime: Date?
    /// The place of the task.
    public var plannedLocation: TerminalLocation?
    /// The outcome.
    public var outcome = TaskOutcome.unknown
    /// The time at which the outcome was set.
    public var outcomeTime: Date?

    /// Creates a shipment, for tests and previews.
    public init(trackingID: String, state: TaskState = .unknown) {
        self.trackingID = trackingID
        self.state = state
    }

    init(_ message: ProtoObject) throws(FleetEngineError) {
        guard let name = try message.string("name") else { throw .unexpectedResponse("the shipment has no name.") }
        self.name = name
        trackingID = try message.string("trackingId") ?? ""
        state = try message.enumeration("state") ?? .unknown
        vehicleLocation = try VehicleLocation(message.message("vehicleLocation"))
        route = try message.points("routePolylinePoints")
        remainingStopCount = try message.integer("remainingStopCount")
        remainingDrivingDistance = try message.integer("remainingDrivingDistanceMeters")
        estimatedArrivalTime = try message.date("estimatedArrivalTime")
        estimatedTaskCompletionTime = try message.date("estimatedTaskCompletionTime")
        plannedLocation = try TerminalLocation(message.message("plannedLocation"))
        outcome = try message.enumeration("taskOutcome") ?? .unknown
        outcomeTime = try message.date("taskOutcomeTime")
    }
}
