import Foundation

@testable import FleetEngineClient

/// Writes each call down as a line, and does what a test says after it.
@MainActor
final class RecordingSubscriber: TripModelSubscriber {
    let log = Log<String>()
    var afterCall: (String) -> Void = { _ in }

    private func note(_ line: String) {
        log.append(line)
        afterCall(line)
    }

    func tripModel(_ tripModel: TripModel, didUpdate sessionState: TripModelState) { note("state \(sessionState)") }
    func tripModel(_ tripModel: TripModel, didUpdate trip: Trip?, updatedPropertyFields: TripPropertyFields) {
        note("trip \(updatedPropertyFields.rawValue)")
    }
    func tripModel(_ tripModel: TripModel, didUpdate tripStatus: TripStatus) { note("status \(tripStatus)") }
    func tripModel(_ tripModel: TripModel, didUpdate vehicleLocation: VehicleLocation?) {
        note("vehicle \(vehicleLocation.map { "\($0.location.latitude)" } ?? "none")")
    }
    func tripModel(_ tripModel: TripModel, didUpdatePickupLocation pickupLocation: TerminalLocation?) {
        note("pickup \(pickupLocation.map { "\($0.point.latitude)" } ?? "none")")
    }
    func tripModel(_ tripModel: TripModel, didUpdateDropoffLocation dropoffLocation: TerminalLocation?) {
        note("dropoff \(dropoffLocation.map { "\($0.point.latitude)" } ?? "none")")
    }
    func tripModel(
        _ tripModel: TripModel,
        didUpdateIntermediateDestinations intermediateDestinations: [TerminalLocation]?
    ) {
        note("intermediate \(intermediateDestinations?.count ?? 0)")
    }
    func tripModel(_ tripModel: TripModel, didUpdatePickupETA pickupETA: TimeInterval) {
        note("pickupETA \(Int(pickupETA))")
    }
    func tripModel(_ tripModel: TripModel, didUpdateDropoffETA dropoffETA: TimeInterval) {
        note("dropoffETA \(Int(dropoffETA))")
    }
    func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint nextWaypointETA: TimeInterval) {
        note("nextETA \(Int(nextWaypointETA))")
    }
    func tripModel(_ tripModel: TripModel, didUpdateActiveRoute activeRoute: [LatLng]?) {
        note("route \(activeRoute?.count ?? 0)")
    }
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic activeRouteTraffic: TrafficData?) {
        note("traffic \(activeRouteTraffic?.intervals.count ?? 0)")
    }
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteRemainingDistance activeRouteRemainingDistance: Int32) {
        note("distance \(activeRouteRemainingDistance)")
    }
    func tripModel(_ tripModel: TripModel, didUpdateRemaining remainingWaypoints: [TripWaypoint]?) {
        note("waypoints \(remainingWaypoints?.count ?? 0)")
    }
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute remainingRoute: [LatLng]?) {
        note("remainingRoute \(remainingRoute?.count ?? 0)")
    }
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic remainingRouteTraffic: TrafficData?) {
        note("remainingTraffic \(remainingRouteTraffic?.intervals.count ?? 0)")
    }
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance remainingRouteDistance: Int32) {
        note("remainingDistance \(remainingRouteDistance)")
    }
    func tripModel(_ tripModel: TripModel, didFailUpdateTripWithError error: (any Error)?) {
        note("failed \(error.map { ($0 as NSError).code } ?? 0)")
    }
}
