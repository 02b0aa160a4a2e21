import EngineCoding
import FleetEngineClient
import Foundation

/// A driver's app: it drives a trip's streets and reports the vehicle.
final class Driver: Sendable {
    /// Meters a second.
    private static let speed = 14.0

    private struct Leg: Sendable {
        var path: Path
        var start: Double
        /// Whether the vehicle waits at the end, or has not started.
        var isDriving = true
    }

    let vehicle: String
    let reporter: VehicleReporter
    let isDelivery: Bool
    private let city: City
    private let time: DemoTime
    private let leg: Lock<Leg>

    /// Creates a driver of an on-demand or a delivery vehicle.
    init(_ vehicle: String, city: City, world: World, isDelivery: Bool = false) {
        let (time, leg) = (world.time, Lock(Leg(path: city.toPickup, start: 0, isDriving: false)))
        self.vehicle = vehicle
        self.isDelivery = isDelivery
        self.city = city
        self.time = time
        self.leg = leg
        let source: @Sendable () -> VehicleUpdate? = { Self.update(leg.withLock { $0 }, time) }
        reporter =
            isDelivery
            ? world.engine.deliveryVehicleReporter(for: vehicle, source: source)
            : world.engine.vehicleReporter(for: vehicle, source: source)
        reporter.locationUpdateInterval = 5
    }

    func begin() {
        reporter.locationTrackingEnabled = true
        reporter.updateVehicleState(.online)
    }

    /// Drives to the pickup point or, with the rider, to the drop-off point.
    func drive(toDropoff: Bool) async throws {
        let path = toDropoff ? city.toDropoff : city.toPickup
        leg.withLock { $0 = Leg(path: path, start: time.now) }
        try await time.sleep(path.length / Self.speed)
    }

    /// Ends the shift: an on-demand vehicle is reported as offline.
    ///
    /// - Returns: Whether that was accepted.
    @discardableResult
    func end() async -> Bool {
        let events = reporter.events
        reporter.locationTrackingEnabled = false
        guard !isDelivery else { return false }
        var attempts = 0
        for await event in events {
            switch event {
            case .succeeded(let update) where update.isLast: return true
            case .failed(let update, let error) where update.isLast:
                attempts += 1
                // The reporter sends it again after server and network errors, at most four times.
                if error.needsAction || attempts == 5 { return false }
            // The outcome of an update that was under way.
            default: break
            }
        }
        return false
    }

    private static func driven(_ leg: Leg, _ time: DemoTime) -> Double {
        leg.isDriving ? (time.now - leg.start) * speed : 0
    }

    private static func update(_ leg: Leg, _ time: DemoTime) -> VehicleUpdate {
        let driven = driven(leg, time)
        let (point, heading) = leg.path.position(after: driven)
        let left = max(0, leg.path.length - driven)
        let isDriving = leg.isDriving && left > 0
        var update = VehicleUpdate(
            location: VehicleLocation(
                location: point,
                heading: heading,
                speed: isDriving ? speed : 0,
                horizontalAccuracy: 3,
                updateTime: time.date
            )
        )
        guard leg.isDriving else { return update }
        update.remainingTime = left / speed
        update.remainingDistance = Int32(left)
        update.route = isDriving ? leg.path.points : nil
        update.destinationWaypoint = isDriving ? leg.path.end : nil
        update.navigationStatus = isDriving ? .enrouteToDestination : .arrivedAtDestination
        return update
    }
}

extension VehicleUpdate {
    /// Whether this is a reporter's last update, which has a state and no location.
    fileprivate var isLast: Bool { vehicleState == .offline && location == nil }
}
