// What the Objective-C part of TokenProvider touches of FleetToken.

/// Stands in for the real one.
public enum TokenKind { case driver, deliveryDriver, trustedDeliveryDriver }
