/// The fields of a trip that changed; the raw values are those that Google documents for its SDK.
public struct TripPropertyFields: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// ``Trip/name``.
    public static let tripName = Self(rawValue: 1 << 0)
    /// ``Trip/vehicleID``.
    public static let vehicleID = Self(rawValue: 1 << 1)
    /// ``Trip/tripType``.
    public static let tripType = Self(rawValue: 1 << 2)
    /// ``Trip/tripStatus``.
    public static let tripStatus = Self(rawValue: 1 << 3)
    /// ``Trip/pickupLocation``.
    public static let pickupLocation = Self(rawValue: 1 << 4)
    /// ``Trip/pickupTime``.
    public static let pickupTime = Self(rawValue: 1 << 5)
    /// ``Trip/dropoffLocation``.
    public static let dropoffLocation = Self(rawValue: 1 << 6)
    /// ``Trip/dropoffTime``.
    public static let dropoffTime = Self(rawValue: 1 << 7)
    /// ``Trip/lastLocation``.
    public static let routeLastVehicleLocation = Self(rawValue: 1 << 8)
    /// ``Trip/numberOfPassengers``.
    public static let numberOfPassengers = Self(rawValue: 1 << 9)
    /// ``Trip/remainingWaypoints``, apart from their paths.
    public static let remainingWaypoints = Self(rawValue: 1 << 10)
    /// ``Trip/intermediateDestinations``.
    public static let intermediateDestinations = Self(rawValue: 1 << 11)
    /// ``Trip/intermediateDestinationIndex``.
    public static let intermediateDestinationIndex = Self(rawValue: 1 << 12)
    /// ``Trip/activeRouteRemainingDistance``.
    public static let remainingDistanceOfActiveRouteInMeters = Self(rawValue: 1 << 13)
    /// ``Trip/remainingRouteDistance``.
    public static let distanceOfRemainingRouteInMeters = Self(rawValue: 1 << 14)
    /// ``Trip/activeRoute``.
    public static let activeRoute = Self(rawValue: 1 << 15)
    /// ``Trip/activeRouteTraffic``.
    public static let activeRouteTraffic = Self(rawValue: 1 << 16)
    /// ``Trip/remainingRoute``.
    public static let remainingRoute = Self(rawValue: 1 << 17)
    /// ``Trip/remainingRouteTraffic``.
    public static let remainingRouteTraffic = Self(rawValue: 1 << 18)

    static let all = Self(rawValue: 1 << 19 - 1)

    /// Returns the fields in which two trips differ; compared with nil, the fields that the other trip has.
    public static func differentProperties(between one: Trip?, and other: Trip?) -> Self {
        let (one, other) = (one ?? Trip(), other ?? Trip())
        var fields: Self = []
        func compare(_ field: Self, _ value: (Trip) -> some Equatable) {
            if !areEqual(value(one), value(other)) { fields.insert(field) }
        }
        compare(.tripName) { $0.name }
        compare(.vehicleID) { $0.vehicleID }
        compare(.tripType) { $0.tripType }
        compare(.tripStatus) { $0.tripStatus }
        compare(.pickupLocation) { $0.pickupLocation }
        compare(.pickupTime) { $0.pickupTime }
        compare(.dropoffLocation) { $0.dropoffLocation }
        compare(.dropoffTime) { $0.dropoffTime }
        compare(.routeLastVehicleLocation) { $0.lastLocation }
        compare(.numberOfPassengers) { $0.numberOfPassengers }
        compare(.remainingWaypoints) { $0.remainingWaypoints?.map(\.withoutPath) }
        compare(.intermediateDestinations) { $0.intermediateDestinations }
        compare(.intermediateDestinationIndex) { $0.intermediateDestinationIndex }
        compare(.remainingDistanceOfActiveRouteInMeters) { $0.activeRouteRemainingDistance }
        compare(.distanceOfRemainingRouteInMeters) { $0.remainingRouteDistance }
        compare(.activeRoute) { $0.activeRoute }
        compare(.activeRouteTraffic) { $0.activeRouteTraffic }
        compare(.remainingRoute) { $0.remainingRoute }
        compare(.remainingRouteTraffic) { $0.remainingRouteTraffic }
        return fields
    }
}

private func areEqual<Value: Equatable>(_ one: Value, _ other: Value) -> Bool { one == other }
