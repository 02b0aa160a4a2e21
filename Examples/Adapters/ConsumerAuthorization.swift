import Foundation
import GoogleRidesharingConsumer
import TokenProvider

/// Gives the Consumer SDK its tokens.
///
/// Copy this file into the app. It is `nonisolated`, also in a project with another default isolation: the SDK calls it from its own queues.
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
