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
    static let authorization = SDKAuthorization { provider }

    static func signIn(email: String, password: String) async throws {
        _ = try await Auth.auth().signIn(withEmail: email, password: password)
        provider.credentialsDidChange()
    }

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

    /// Shows the state of the trip's token, which the Consumer SDK requests by itself.
    private func follow() async {
        guard let trip = try? TokenScope.consumer(trip: ResourceID(tripID)) else { return status = "Unknown trip" }
        for await state in tokens.states(of: trip) {
            status =
                switch state {
                case .available: "Following"
                case .failed(let error) where error.code == .offline: "Offline"
                case .failed(let error) where error.needsAction: "Sign in again"
                default: "Connecting"
                }
        }
    }
}
