import EngineCoding
import FleetEngineClient
import Foundation

/// A driver's app: it drives a trip's streets and reports the vehicle.
final class Driver: Sendable {
    /// Meters a second.
    private static let speed = 14.0

    private struct Leg: Sendable {
        var path: Path
        /// When the vehicle started; nil before that.
        var start: ContinuousClock.Instant?
    }

    let vehicle: String
    let reporter: VehicleReporter
    let isDelivery: Bool
    private let city: City
    private let leg: Lock<Leg>

    /// Creates a driver of an on-demand or a delivery vehicle.
    init(_ vehicle: String, city: City, engine: FleetEngine, isDelivery: Bool = false) {
        let leg = Lock(Leg(path: city.toPickup))
        self.vehicle = vehicle
        self.isDelivery = isDelivery
        self.city = city
        self.leg = leg
        let source: @Sendable () -> VehicleUpdate? = { Self.update(leg.withLock { $0 }) }
        reporter =
            isDelivery
            ? engine.deliveryVehicleReporter(for: vehicle, every: 5, source: source)
            : engine.vehicleReporter(for: vehicle, every: 5, source: source)
    }

    func start() async {
        await reporter.startTracking()
        await reporter.updateVehicleState(.online)
    }

    /// Drives to the pickup point or, with the rider, to the drop-off point.
    func drive(toDropoff: Bool) async throws {
        let path = toDropoff ? city.toDropoff : city.toPickup
        leg.withLock { $0 = Leg(path: path, start: .now) }
        try await Task.sleep(for: .seconds(path.length / Self.speed))
    }

    /// Ends the shift: an on-demand vehicle is reported as offline.
    func stop() async {
        await reporter.stopTracking()
    }

    private static func update(_ leg: Leg) -> VehicleUpdate {
        let driven = leg.start.map { (.now - $0) / .seconds(1) * speed } ?? 0
        let (point, heading) = leg.path.position(after: driven)
        let left = max(0, leg.path.length - driven)
        let isDriving = leg.start != nil && left > 0
        var update = VehicleUpdate(
            location: VehicleLocation(
                location: point,
                heading: heading,
                speed: isDriving ? speed : 0,
                horizontalAccuracy: 3,
                updateTime: Date()
            )
        )
        guard leg.start != nil else { return update }
        update.remainingTime = left / speed
        update.remainingDistance = Int32(left)
        update.route = isDriving ? leg.path.points : nil
        update.destinationWaypoint = isDriving ? leg.path.end : nil
        update.navigationStatus = isDriving ? .enrouteToDestination : .arrivedAtDestination
        return update
    }
}
