import FleetEngineClient

/// Whose token a request has.
enum DemoScope: Hashable, Sendable {
    case app(TokenPurpose)
    case server
    case deliveryServer
}
