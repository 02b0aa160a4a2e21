// What TokenProvider and its users touch of Google's Driver SDK, as Swift imports it from Objective-C.

public import Foundation

/// Takes a token or an error.
public typealias GMTDAuthTokenFetchCompletionHandler = (String?, (any Error)?) -> Void

/// What gives the SDK its tokens.
public protocol GMTDAuthorization: NSObjectProtocol {
    /// Called by the SDK from any queue.
    func fetchToken(
        with authorizationContext: GMTDAuthorizationContext?,
        completion: @escaping GMTDAuthTokenFetchCompletionHandler
    )
}

/// What a token is for.
public final class GMTDAuthorizationContext: NSObject {
    /// The vehicle, or delivery vehicle.
    public let vehicleID: String
    /// The task, for a trusted delivery driver.
    public let taskID: String?

    /// A context; only the SDK makes them.
    public init(vehicleID: String, taskID: String?) {
        self.vehicleID = vehicleID
        self.taskID = taskID
    }
}

/// What a driver API is made from.
public final class GMTDDriverContext: NSObject {
    /// What gives the SDK its tokens.
    public let accessTokenProvider: any GMTDAuthorization

    /// A context.
    public init(
        accessTokenProvider: any GMTDAuthorization,
        providerID: String,
        vehicleID: String,
        navigator: AnyObject?
    ) {
        self.accessTokenProvider = accessTokenProvider
    }
}
