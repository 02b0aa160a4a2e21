/// What a request needs a token for.
public enum TokenPurpose: Hashable, Sendable {
    /// Following a trip, by its ID.
    case trip(String)
    /// Reporting an on-demand vehicle, by its ID.
    case vehicle(String)
    /// Reporting a delivery vehicle, by its ID.
    case deliveryVehicle(String)
    /// Following a shipment, by its tracking ID.
    case shipment(String)
    /// A backend's requests about trips and vehicles.
    case server
    /// A backend's requests about delivery vehicles and tasks.
    case deliveryServer
}
