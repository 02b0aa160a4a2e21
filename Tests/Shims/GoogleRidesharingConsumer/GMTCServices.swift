public import Foundation

/// The SDK's entry point: `Classes/GMTCServices`.
public final class GMTCServices: NSObject {
    /// Sets the object that gives the SDK its tokens; to be called before any other method.
    public class func setAccessTokenProvider(_ accessTokenProvider: any GMTCAuthorization, providerID: String) {}

    /// Returns the shared instance; the SDK throws an exception if there is no provider of tokens.
    public class func shared() -> GMTCServices { GMTCServices() }

    /// The service for trips.
    public var tripService: GMTCTripService { GMTCTripService() }
}

/// Gives access to trips: `Classes/GMTCTripService`.
public final class GMTCTripService: NSObject {
    /// Returns the model of a trip, one for each name.
    public func tripModel(forTripName tripName: String) -> GMTCTripModel? { nil }
}
