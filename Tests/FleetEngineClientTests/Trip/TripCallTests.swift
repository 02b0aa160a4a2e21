import Foundation
import TestRandomness
import Testing

@testable import FleetEngineClient

@Suite("Calls of a trip's subscribers")
struct TripCallTests {
    /// A change of one field: how it is made, its bit, and the callback for it beside the one for the whole trip.
    private struct Change: Sendable {
        let field: TripPropertyFields
        let callback: String?
        let apply: @Sendable (inout Trip, Int) -> Void
    }

    private static func waypoint(_ number: Int) -> TripWaypoint {
        TripWaypoint(
            location: TerminalLocation(point: LatLng(latitude: 1, longitude: 1)),
            type: .dropoff,
            eta: date(number)
        )
    }

    private static func date(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number)) }
    private static func place(_ number: Int) -> TerminalLocation {
        TerminalLocation(point: LatLng(latitude: Double(number % 80), longitude: 2))
    }
    private static func traffic(_ number: Int) -> TrafficData {
        TrafficData(intervals: [.init(startIndex: 0, endIndex: number, speed: .slow)])
    }

    private static let changes: [Change] = [
        Change(field: .tripName, callback: nil) { $0.name = "providers/demo/trips/\($1)" },
        Change(field: .vehicleID, callback: nil) { $0.vehicleID = "v\($1)" },
        Change(field: .tripType, callback: nil) { $0.tripType = $1 % 2 == 0 ? .shared : .exclusive },
        Change(field: .tripStatus, callback: "status") {
            $0.tripStatus = $1 % 2 == 0 ? .new : .enrouteToPickup
        },
        Change(field: .pickupLocation, callback: "pickup") { $0.pickupLocation = place($1) },
        Change(field: .pickupTime, callback: "pickupETA") { $0.pickupTime = date($1) },
        Change(field: .dropoffLocation, callback: "dropoff") { $0.dropoffLocation = place($1) },
        Change(field: .dropoffTime, callback: "dropoffETA") { $0.dropoffTime = date($1) },
        Change(field: .routeLastVehicleLocation, callback: "vehicle") {
            $0.lastLocation = VehicleLocation(location: LatLng(latitude: 1, longitude: 2), updateTime: date($1))
        },
        Change(field: .numberOfPassengers, callback: nil) { $0.numberOfPassengers = Int32($1) },
        Change(field: .remainingWaypoints, callback: "waypoints") { trip, number in
            trip.remainingWaypoints?[0].eta = date(number)
        },
        Change(field: .intermediateDestinations, callback: "intermediate") {
            $0.intermediateDestinations = [place($1)]
        },
        Change(field: .intermediateDestinationIndex, callback: "intermediate") {
            $0.intermediateDestinationIndex = Int32($1)
        },
        Change(field: .remainingDistanceOfActiveRouteInMeters, callback: "distance") {
            $0.activeRouteRemainingDistance = Int32($1)
        },
        Change(
            field: [.distanceOfRemainingRouteInMeters, .remainingWaypoints],
            callback: "waypoints remainingDistance"
        ) { $0.remainingWaypoints?[1].distanceMeters = Int32($1) },
        Change(field: .activeRoute, callback: "route") {
            $0.activeRoute = [LatLng(latitude: Double($1 % 80), longitude: 3)]
        },
        Change(field: .activeRouteTraffic, callback: "traffic") { $0.activeRouteTraffic = traffic($1) },
        Change(field: .remainingRoute, callback: "remainingRoute") {
            $0.remainingWaypoints?[1].path = [LatLng(latitude: Double($1 % 80), longitude: 3)]
        },
        Change(field: .remainingRouteTraffic, callback: "remainingTraffic") {
            $0.remainingWaypoints?[1].traffic = traffic($1)
        },
        Change(field: [], callback: "nextETA") { $0.etaToNextWaypoint = date($1) },
    ]

    private static func trip() -> Trip {
        var trip = Trip(name: "providers/demo/trips/t1", tripStatus: .new)
        trip.remainingWaypoints = [waypoint(1), waypoint(2)]
        for change in changes { change.apply(&trip, 1) }
        return trip
    }

    /// The calls of a subscriber, as it writes them down.
    @MainActor
    private func calls(_ event: FollowEvent<Trip>) throws -> [String] {
        let subscriber = RecordingSubscriber()
        let model = try TestEngine([]).model()
        for call in event.calls { call(subscriber, model) }
        return subscriber.log.entries
    }

    @MainActor
    private func names(_ event: FollowEvent<Trip>) throws -> [String] {
        try calls(event).map { String($0.prefix { $0 != " " }) }
    }

    @Test("Each changed field has exactly one call, and no other has any", arguments: 0..<300)
    @MainActor
    func exactlyOne(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let known = Self.trip()
        var trip = known
        let chosen = Self.changes.filter { _ in Bool.random(using: &random) }
        for change in chosen { change.apply(&trip, .random(in: 1...5, using: &random) * 2) }

        let fields = TripPropertyFields(chosen.map(\.field))
        #expect(TripPropertyFields.differentProperties(between: known, and: trip) == fields)
        let calls = try names(.updated(trip, from: known))
        let expected = Set(chosen.compactMap(\.callback).flatMap { $0.split(separator: " ").map(String.init) })
        #expect(calls.count == Set(calls).count)
        #expect(Set(calls) == expected.union(fields.isEmpty ? [] : ["trip"]))
        #expect(fields.isEmpty || calls.first == "trip")
        #expect(trip.differs(from: known) == !calls.isEmpty)
    }

    @Test("A trip that has not changed has no call")
    @MainActor
    func nothing() throws {
        #expect(try calls(.updated(Self.trip(), from: Self.trip())).isEmpty)
        #expect(!Self.trip().differs(from: Self.trip()))
    }

    @Test("The first update reports all fields of the trip, and each of its calls once")
    @MainActor
    func first() throws {
        let calls = try names(.updated(Self.trip(), from: nil))
        #expect(calls.count == 16)
        #expect(Set(calls).count == 16)
        #expect(TripPropertyFields.differentProperties(between: nil, and: Self.trip()).rawValue == 1 << 19 - 1)
    }

    @Test("The raw values are the documented ones")
    func rawValues() {
        let fields: [TripPropertyFields] = [
            .tripName, .vehicleID, .tripType, .tripStatus, .pickupLocation, .pickupTime, .dropoffLocation, .dropoffTime,
            .routeLastVehicleLocation, .numberOfPassengers, .remainingWaypoints, .intermediateDestinations,
            .intermediateDestinationIndex, .remainingDistanceOfActiveRouteInMeters, .distanceOfRemainingRouteInMeters,
            .activeRoute, .activeRouteTraffic, .remainingRoute, .remainingRouteTraffic,
        ]
        #expect(fields.map(\.rawValue) == (0...18).map { 1 << $0 })
        #expect(TripStatus.allCases.map(\.rawValue) == Array(0...8))
        #expect(SpeedType.allCases.map(\.rawValue) == Array(0...3))
    }

    @Test("When a trip ends, its route and vehicle are reported as gone; times and distances have no call")
    @MainActor
    func end() throws {
        var trip = Self.trip()
        trip.tripStatus = .complete
        trip.lastLocation = nil
        trip.activeRoute = nil
        trip.activeRouteTraffic = nil
        trip.remainingWaypoints = nil
        trip.activeRouteRemainingDistance = nil
        trip.etaToNextWaypoint = nil
        #expect(
            try calls(.updated(trip, from: Self.trip())).dropFirst() == [
                "status complete", "vehicle none", "route 0", "traffic 0", "waypoints 0", "remainingRoute 0",
                "remainingTraffic 0",
            ]
        )
    }
}
