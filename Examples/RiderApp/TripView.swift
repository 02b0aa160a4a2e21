import GoogleRidesharingConsumer
import SwiftUI
import TokenProvider

/// Shows a trip on the map, and the state of its connection.
struct TripView: View {
    @ObservedObject var session: Session
    let tripID: String

    var body: some View {
        VStack {
            TripMap(tokens: session.tokens, tripID: tripID)
            Text(session.problem ?? "Following")
            Button("Sign out") { session.signOut() }
        }
    }
}

/// Google's map with a trip.
struct TripMap: UIViewRepresentable {
    let tokens: FleetTokenProvider
    let tripID: String

    func makeCoordinator() -> TripFollower { TripFollower(tokens: tokens, tripID: tripID) }

    func makeUIView(context: Context) -> GMTCMapView {
        let map = GMTCMapView()
        map.delegate = context.coordinator
        return map
    }

    func updateUIView(_ map: GMTCMapView, context: Context) {}

    static func dismantleUIView(_ map: GMTCMapView, coordinator: TripFollower) {
        coordinator.stop(map)
    }
}
