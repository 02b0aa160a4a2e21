import Foundation
import GoogleRidesharingConsumer
import TokenProvider

/// Shows a trip on a map as soon as the map is ready, and replaces a token that Fleet Engine rejects.
@MainActor
final class TripFollower: NSObject, GMTCMapViewDelegate {
    private let tokens: FleetTokenProvider
    private let tripID: String
    private var following: (model: GMTCTripModel, session: GMTCJourneySharingSession)?

    init(tokens: FleetTokenProvider, tripID: String) {
        (self.tokens, self.tripID) = (tokens, tripID)
    }

    // The map calls its delegate on the main thread.
    nonisolated func mapViewDidInitialize(_ map: GMTCMapView) {
        MainActor.assumeIsolated { follow(on: map) }
    }

    private func follow(on map: GMTCMapView) {
        let name = "providers/\(RiderApp.projectID)/trips/\(tripID)"
        guard let model = GMTCServices.shared().tripService.tripModel(forTripName: name) else { return }
        let session = GMTCJourneySharingSession(tripModel: model)
        // The SDK requests the trip, and with it a token, while the model has a subscriber.
        model.register(self)
        map.show(session)
        following = (model, session)
    }

    func stop(_ map: GMTCMapView) {
        guard let following else { return }
        map.hide(following.session)
        following.model.unregisterSubscriber(self)
        self.following = nil
    }
}

extension TripFollower: GMTCTripModelSubscriber {
    nonisolated func tripModel(_ tripModel: GMTCTripModel, didFailUpdateTripWithError error: (any Error)?) {
        guard let error = error as NSError?, error.domain == "io.grpc", error.code == 16 else { return }
        tokens.invalidate(.trip(tripID))
    }
}
