public import Foundation
public import GoogleMaps

/// The map of riders' apps: `Classes/GMTCMapView`.
@MainActor
public final class GMTCMapView: GMSMapView {
    /// What is told of the map; held weakly.
    public weak var delegate: (any GMTCMapViewDelegate)?

    /// Shows a session.
    public func show(_ mapViewSession: GMTCJourneySharingSession) {}

    /// Hides a session.
    public func hide(_ mapViewSession: GMTCJourneySharingSession) {}
}

/// What happens to a map: `Protocols/GMTCMapViewDelegate`, whose methods are optional.
///
/// The reference names no actor. Without one, a delegate must compile that does whatever the header says.
public protocol GMTCMapViewDelegate: NSObjectProtocol {
    /// Called when the map is ready to show a session.
    func mapViewDidInitialize(_ mapview: GMTCMapView)
}

/// Shows a trip on a map: `Classes/GMTCJourneySharingSession`.
public final class GMTCJourneySharingSession: NSObject {
    /// Creates a session that shows a trip.
    public init(tripModel: GMTCTripModel) {}
}
