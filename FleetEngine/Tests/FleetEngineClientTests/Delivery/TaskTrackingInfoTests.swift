import Foundation
import Testing

@testable import FleetEngineClient

@Suite(.timeLimit(.minutes(1)))
struct TaskTrackingInfoTests {
    private func response(_ fields: String) -> ScriptedResponse {
        ScriptedResponse(
            body: #"{"name":"providers/demo/taskTrackingInfo/pkg-1","trackingId":"pkg-1",\#(fields)}"#
        )
    }

    @Test
    func `A shipment is followed with the recipient's token until its task is closed`() async throws {
        let open = #""state":"OPEN","remainingStopCount":"#
        let test = TestEngine([
            response(open + "2"), response(open + "2"), .error(503, "UNAVAILABLE"), response(open + "1"),
            response(#""state":"CLOSED","taskOutcome":"SUCCEEDED","taskOutcomeTime":"2026-11-20T22:00:00Z""#),
        ])
        var lines: [String] = []
        let clock = Task { for _ in 0..<4 { try await test.nextPause() } }
        for await event in test.engine.updates(ofShipment: "pkg-1") {
            lines.append(event.line { "stops \($0.remainingStopCount ?? 0) \($0.state) \($0.outcome)" })
        }
        try await clock.value
        #expect(
            lines == [
                "state active", "stops 2 open unknown", "failed UNAVAILABLE", "recovered", "stops 1 open unknown",
                "stops 0 closed succeeded", "state inactive",
            ]
        )
        #expect(test.network.requests[0].url == "https://engine.example/v1/providers/demo/taskTrackingInfo/pkg-1")
        #expect(test.fetches.map(\.purpose) == [.shipment("pkg-1")])
    }

    @Test
    func `The documented example is read completely`() throws {
        let json = #"""
            {"name":"providers/demo-fleet/taskTrackingInfo/pkg-1","trackingId":"pkg-1","vehicleLocation":
            {"location":{"latitude":52.2297,"longitude":21.0122},"updateTime":"2026-11-20T21:52:31.2Z"},
            "routePolylinePoints":[{"latitude":52.2297,"longitude":21.0122},{"latitude":52.24,"longitude":21.03}],
            "remainingStopCount":1,"remainingDrivingDistanceMeters":6207,"estimatedArrivalTime":"2026-11-20T21:53:25Z",
            "estimatedTaskCompletionTime":"2026-11-20T21:54:25Z","state":"OPEN","taskOutcomeTime":"2026-11-20T22:00:00Z",
            "plannedLocation":
            {"point":{"latitude":52.24,"longitude":21.03}}}
            """#
        let shipment = try TaskTrackingInfo(ProtoObject(body: Array(json.utf8)))
        #expect(shipment.trackingID == "pkg-1")
        #expect(shipment.vehicleLocation?.location.latitude == 52.2297)
        #expect(shipment.route?.count == 2)
        #expect(shipment.remainingStopCount == 1)
        #expect(shipment.remainingDrivingDistance == 6207)
        #expect(shipment.estimatedArrivalTime == Date(timeIntervalSince1970: 1_795_211_605))
        #expect(shipment.estimatedTaskCompletionTime == Date(timeIntervalSince1970: 1_795_211_665))
        #expect(shipment.plannedLocation?.point.longitude == 21.03)
        #expect(shipment.state == .open)
        #expect(shipment.outcome == .unknown)
        #expect(shipment.outcomeTime == Date(timeIntervalSince1970: 1_795_212_000))
    }
}
