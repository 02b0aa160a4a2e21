import Testing

@testable import FleetEngineClient

struct ReportFormatTests {
    private static let route = [LatLng(latitude: 1, longitude: 1), LatLng(latitude: 2, longitude: 2)]

    private static func update(_ latitude: Double, route: [LatLng]? = nil) -> VehicleUpdate {
        VehicleUpdate(
            location: VehicleLocation(location: LatLng(latitude: latitude, longitude: 0)),
            destinationWaypoint: route?.last,
            route: route,
            remainingTime: route == nil ? nil : 60,
            remainingDistance: route == nil ? nil : 500,
            navigationStatus: route == nil ? nil : .enrouteToDestination
        )
    }

    @Test(arguments: [ReportFormat.onDemand, .delivery])
    func `Fields are those that the Driver SDK was recorded to send`(format: ReportFormat) {
        var known = Self.update(1)
        known.vehicleState = format == .onDemand ? .online : nil
        var driving = Self.update(2, route: Self.route)
        driving.vehicleState = known.vehicleState
        func fields(_ update: VehicleUpdate, _ acknowledged: VehicleUpdate) -> [String] {
            format.fields(of: update, acknowledged: acknowledged).map(\.rawValue)
        }
        let state = format == .onDemand ? ["vehicleState"] : []
        let progress = [format == .onDemand ? "remainingTimeSeconds" : "remainingDuration", "remainingDistanceMeters"]
        let route = ["currentRouteSegment", "currentRouteSegmentEndPoint", "navigationStatus"]
        #expect(fields(known, known) == state + ["lastLocation"])
        #expect(fields(driving, known) == state + ["lastLocation"] + progress + route)
        #expect(fields(driving, driving) == state + ["lastLocation"] + progress)
        // The navigation is over: everything of it is cleared, once.
        #expect(fields(known, driving) == state + ["lastLocation"] + progress + route)
        var nowhere = known
        nowhere.location = nil
        #expect(fields(nowhere, known).isEmpty)
    }

    @Test(
        arguments: [(Double.nan, 0), (-1, 0), (59.6, 60), (.infinity, 2_147_483_647)]
    )
    func `A remaining time that is no number, negative or too long is reported as the nearest number of seconds`(
        seconds: Double,
        reported: Int
    ) throws {
        let update = VehicleUpdate(location: nil, remainingTime: seconds)
        let request = ReportFormat.onDemand.request(update, [.remainingTimeSeconds], vehicle: "v1")
        #expect(request.body == Array(#"{"remainingTimeSeconds":\#(reported)}"#.utf8))
    }
}
