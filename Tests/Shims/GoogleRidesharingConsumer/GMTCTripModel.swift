public import Foundation

/// Follows a trip while it has a subscriber: `Classes/GMTCTripModel`.
public final class GMTCTripModel: NSObject {
    /// The trip's name.
    public let tripName = ""

    /// Begins to call a subscriber; main thread only.
    public func register(_ subscriber: any GMTCTripModelSubscriber) {}

    /// Ends the calls of a subscriber; main thread only.
    public func unregisterSubscriber(_ subscriber: any GMTCTripModelSubscriber) {}
}

/// What happens to a trip: `Protocols/GMTCTripModelSubscriber`, whose methods are optional.
public protocol GMTCTripModelSubscriber: NSObjectProtocol {
    /// Called when a request for the trip failed.
    func tripModel(_ tripModel: GMTCTripModel, didFailUpdateTripWithError error: (any Error)?)

    /// Called when the trip has changed.
    func tripModel(_ tripModel: GMTCTripModel, didUpdate trip: GMTSTrip?, updatedPropertyFields: GMTSTripPropertyFields)
}

extension GMTCTripModelSubscriber {
    /// Optional.
    public func tripModel(_ tripModel: GMTCTripModel, didFailUpdateTripWithError error: (any Error)?) {}

    /// Optional.
    public func tripModel(
        _ tripModel: GMTCTripModel,
        didUpdate trip: GMTSTrip?,
        updatedPropertyFields: GMTSTripPropertyFields
    ) {}
}

/// A trip: `Classes/GMTSTrip`.
public final class GMTSTrip: NSObject {}

/// Members of a trip: `Type-Definitions/GMTSTripPropertyFields`.
public struct GMTSTripPropertyFields: OptionSet, Sendable {
    /// As Swift imports it.
    public let rawValue: Int

    /// As Swift imports it.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
