// What apps use of Google's Navigation SDK. The reference is at
// https://developers.google.com/maps/documentation/navigation/ios-sdk/reference/objc/

public import Foundation
public import GoogleMaps

/// Guides a driver: `Classes/GMSNavigator`.
public final class GMSNavigator: NSObject {
    /// Creates a navigator; in the SDK only the SDK does.
    override public init() { super.init() }
}

extension GMSMapView {
    /// The map's navigator, which is nil until the driver has accepted the SDK's terms: `Classes/GMSMapView`.
    public var navigator: GMSNavigator? { nil }
}
