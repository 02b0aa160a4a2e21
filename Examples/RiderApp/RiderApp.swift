import FirebaseAuth
import Foundation
import GoogleRidesharingConsumer
import SwiftUI
import TokenProvider

nonisolated enum Tokens {
    /// The tokens of the user who is signed in with Firebase.
    static let provider = CachingTokenProvider(server: URL(string: "https://tokens.example.com")!) { context in
        guard let user = Auth.auth().currentUser else { throw TokenProviderError(.unauthenticated, "Sign in.") }
        let idToken = try await user.getIDToken(forcingRefresh: context.requiresNewCredentials)
        return ["Authorization": "Bearer \(idToken)"]
    }
    static let authorization = SDKAuthorization(provider)

    static func signOut() throws {
        try Auth.auth().signOut()
        provider.removeAll()
    }
}

@main
struct RiderApp: App {
    init() {
        GMTCServices.setAccessTokenProvider(ConsumerAuthorization(Tokens.authorization), providerID: "my-project")
    }

    var body: some Scene {
        WindowGroup { TripView(tokens: Tokens.provider, tripID: "trip-1") }
    }
}

struct TripView: View {
    let tokens: CachingTokenProvider
    let tripID: String
    @State private var status = "Connecting"

    var body: some View {
        Text(status).task { await follow() }
    }

    /// Shows what becomes of the trip's token, which the Consumer SDK asks for by itself.
    private func follow() async {
        guard let trip = try? TokenScope.consumer(trip: ResourceID(tripID)) else { return status = "Unknown trip" }
        for await change in tokens.changes where change.scope == trip && change.name == .fetchFinished {
            switch change.error {
            case nil: status = "Following"
            case let error? where error.code == .offline: status = "Offline"
            case let error? where error.recovery == .needsAction: status = "Sign in again"
            default: status = "Connecting"
            }
        }
    }
}
