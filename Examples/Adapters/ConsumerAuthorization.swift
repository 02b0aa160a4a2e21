import Foundation
import GoogleRidesharingConsumer
import TokenProvider

/// Gives the Consumer SDK its tokens.
///
/// Copy this file into the app. It is on no actor, whatever the project's default isolation is: the SDK calls it from queues of its own.
nonisolated final class ConsumerAuthorization: NSObject, GMTCAuthorization, Sendable {
    let authorization: SDKAuthorization

    init(_ authorization: SDKAuthorization) {
        self.authorization = authorization
    }

    func fetchToken(
        with authorizationContext: GMTCAuthorizationContext?,
        completion: @escaping GMTCAuthTokenFetchCompletionHandler
    ) {
        authorization.fetchToken(tripID: authorizationContext?.tripID, completion: completion)
    }
}
