// What TokenProvider and its users touch of Google's Consumer SDK, as Swift imports it from Objective-C.

public import Foundation

/// Takes a token or an error.
public typealias GMTCAuthTokenFetchCompletionHandler = (String?, (any Error)?) -> Void

/// What gives the SDK its tokens.
public protocol GMTCAuthorization: NSObjectProtocol {
    /// Called by the SDK from any queue.
    func fetchToken(
        with authorizationContext: GMTCAuthorizationContext?,
        completion: @escaping GMTCAuthTokenFetchCompletionHandler
    )
}

/// What a token is for.
public final class GMTCAuthorizationContext: NSObject {
    /// The trip.
    public let tripID: String

    /// A context; only the SDK makes them.
    public init(tripID: String) {
        self.tripID = tripID
    }
}

/// The SDK's entry point.
public enum GMTCServices {
    /// Google's keeps the provider for the life of the process; tests keep it themselves.
    public static func setAccessTokenProvider(_ provider: any GMTCAuthorization, providerID: String) {}
}
