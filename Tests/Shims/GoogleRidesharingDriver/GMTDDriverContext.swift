public import Foundation
public import GoogleNavigation

/// What a driver's app tells the SDK: `Classes/GMTDDriverContext`.
public final class GMTDDriverContext: NSObject {
    /// Creates a context; the navigator is that of a map, and never nil.
    public init(
        accessTokenProvider: any GMTDAuthorization,
        providerID: String,
        vehicleID: String,
        navigator: GMSNavigator
    ) {}
}
