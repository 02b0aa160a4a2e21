import Foundation
import GoogleRidesharingConsumer
import TokenProvider

/// Gives the Consumer SDK its tokens: copy this file into the app.
nonisolated final class ConsumerAuthorization: NSObject, GMTCAuthorization, Sendable {
    let tokens: FleetTokenProvider

    init(_ tokens: FleetTokenProvider) { self.tokens = tokens }

    func fetchToken(with authorizationContext: GMTCAuthorizationContext?) async throws -> String {
        try await tokens.token(for: .trip(authorizationContext?.tripID ?? "")).text
    }
}
