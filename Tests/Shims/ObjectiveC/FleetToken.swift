// What the Objective-C part of TokenProvider touches of FleetToken.

/// Stands in for the real one.
public enum TokenKind: String, Sendable {
    case consumer, driver, deliveryDriver, trustedDeliveryDriver, deliveryConsumer, deliveryTask
}

/// Stands in for the real one.
public struct TokenScope: Sendable {
    /// Stands in for the real one.
    public let kind: TokenKind

    /// Stands in for the real one.
    public init(kind: TokenKind) { self.kind = kind }
}
