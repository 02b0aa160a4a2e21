/// The type of a trip.
public enum TripType: Int, Sendable, CaseIterable {
    /// No type, or one that this version doesn't know.
    case unknown = 0
    /// The vehicle may serve other trips at the same time.
    case shared = 1
    /// The vehicle serves this trip only.
    case exclusive = 2
}

extension TripType: ProtoEnumeration {
    static let protoNames = ["UNKNOWN_TRIP_TYPE", "SHARED", "EXCLUSIVE"]
}
