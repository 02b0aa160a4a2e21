import FirebaseCore
import GoogleMaps
import GoogleRidesharingConsumer
import SwiftUI
import TokenProvider

/// A rider's app: signs in with Firebase and follows a trip on Google's map.
///
/// Replace the texts in capitals, the token server's URL in `Session` and the trip's ID, which an app gets from its backend.
@main
struct RiderApp: App {
    static let projectID = "YOUR_PROJECT_ID"
    private static let tripID = "trip-1"
    @Environment(\.scenePhase) private var phase
    @StateObject private var session: Session

    init() {
        FirebaseApp.configure()
        GMSServices.provideAPIKey("YOUR_MAPS_API_KEY")
        let session = Session()
        GMTCServices.setAccessTokenProvider(ConsumerAuthorization(session.tokens), providerID: Self.projectID)
        _session = StateObject(wrappedValue: session)
    }

    var body: some Scene {
        WindowGroup {
            if session.isSignedIn {
                TripView(session: session, tripID: Self.tripID)
            } else {
                SignInView(session: session)
            }
        }
        .onChange(of: phase) { phase in
            guard phase == .active, session.isSignedIn else { return }
            session.tokens.retryNow()
            let tokens = session.tokens
            Task { try? await tokens.token(for: .trip(Self.tripID)) }
        }
    }
}
