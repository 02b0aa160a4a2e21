// What the documentation's examples take for granted: the app around them. `scripts/check-snippets.py` compiles it with
// them; it belongs to no target.

import Foundation
import GoogleNavigation
import GoogleRidesharingConsumer
import GoogleRidesharingDriver
import SwiftUI
import TokenProvider

nonisolated let tokenServerURL = URL(fileURLWithPath: "/")
nonisolated let providerID = "project"
nonisolated let tripID = "trip-1"
nonisolated let vehicleID = "vehicle-1"
nonisolated let session = Session()
nonisolated let tokens = FleetTokenProvider { _ in Token("token", lifetime: 3600) }
nonisolated let mapView = MapView()
nonisolated var status: String {
    get { "" }
    set {}
}

nonisolated struct Session: Sendable {
    func accessToken(renewed: Bool) async throws -> String { "" }
}

/// The map of the Navigation SDK, without its isolation, so that each example is compiled off the main actor as well.
nonisolated struct MapView: Sendable {
    var navigator: GMSNavigator? { nil }
}

/// The app's adapters, as the guide tells to copy them; `Examples/Adapters` has them.
nonisolated final class ConsumerAuthorization: NSObject, GMTCAuthorization, Sendable {
    init(_ tokens: FleetTokenProvider) {}
    func fetchToken(with authorizationContext: GMTCAuthorizationContext?) async throws -> String { "" }
}

nonisolated final class DriverAuthorization: NSObject, GMTDAuthorization, Sendable {
    init(_ tokens: FleetTokenProvider) {}
    func fetchToken(with authorizationContext: GMTDAuthorizationContext?) async throws -> String { "" }
}

/// The app's credentials; `Examples/RiderApp` has them.
nonisolated func firebaseCredentials(for request: TokenRequest) async throws -> [String: String] { [:] }

/// A backend's own way to a token.
nonisolated func fetchToken(of scope: TokenScope, mustBeNew: Bool) async throws -> Token { Token("token") }

/// A view of the app's.
struct RideView: View {
    var body: some View { Text("") }
}

/// The app's own model, which the page on testing shows.
@MainActor
final class TripModel {
    var status = ""
    init(tokens: FleetTokenProvider) {}
    func follow(_ id: String) async {}
}
