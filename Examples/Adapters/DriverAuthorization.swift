import Foundation
import GoogleRidesharingDriver
import TokenProvider

/// Gives the Driver SDK its tokens.
///
/// Copy this file into the app. It is `nonisolated`, also in a project with another default isolation: the SDK calls it from its own queues.
nonisolated final class DriverAuthorization: NSObject, GMTDAuthorization, Sendable {
    let authorization: SDKAuthorization
    let role: DriverRole

    init(_ authorization: SDKAuthorization, role: DriverRole) {
        self.authorization = authorization
        self.role = role
    }

    func fetchToken(
        with authorizationContext: GMTDAuthorizationContext?,
        completion: @escaping GMTDAuthTokenFetchCompletionHandler
    ) {
        authorization.fetchToken(
            vehicleID: authorizationContext?.vehicleID,
            taskID: authorizationContext?.taskID,
            role: role,
            completion: completion
        )
    }
}
