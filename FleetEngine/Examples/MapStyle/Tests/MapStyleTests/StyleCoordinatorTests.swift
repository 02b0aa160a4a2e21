import FleetEngineClient
import Testing

@testable import MapStyle

struct StyleCoordinatorTests {
    @Test(arguments: CustomizableMarkerType.allCases)
    func `Nil restores the defaults, and other types keep their options`(type: CustomizableMarkerType) {
        var style = StyleCoordinator()
        var options = style.markerStyleOptions(for: type)
        options.isVisible = false
        style.setMarkerStyleOptions(options, markerType: type)
        #expect(!style.markerStyleOptions(for: type).isVisible)
        for other in CustomizableMarkerType.allCases where other != type {
            #expect(style.markerStyleOptions(for: other) == MarkerStyleOptions(for: other))
        }
        style.setMarkerStyleOptions(nil, markerType: type)
        #expect(style == StyleCoordinator())
    }

    @Test(arguments: PolylineType.allCases)
    func `Traffic is off by default, and each speed has a color`(type: PolylineType) {
        var options = PolylineStyleOptions(for: type)
        #expect(!options.isTrafficEnabled)
        #expect(Set(SpeedType.allCases.map { options.trafficColor(for: $0) }).count == 4)
        options.setTrafficColor(for: .slow, color: .purple)
        #expect(options.trafficColor(for: .slow) == .purple)
        options.setTrafficColor(for: .slow, color: nil)
        #expect(options == PolylineStyleOptions(for: type))
    }

    @Test(
        arguments: [
            (-Double.infinity, 0.1, 0, Int.min), (.infinity, 40, 1, .max), (.nan, 6, 0.5, 0), (0, 0.1, 0, 1 << 31),
        ]
    )
    func `Options that are out of range become the nearest within`(
        number: Double,
        width: Double,
        share: Double,
        index: Int
    ) {
        var marker = MarkerStyleOptions(for: .tripVehicle)
        marker.groundAnchor.x = number
        marker.groundAnchor.y = number
        marker.zIndex = index
        var route = PolylineStyleOptions(for: .activeRoute)
        route.width = number
        route.zIndex = index
        #expect(route.width == width)
        #expect(route.zIndex == Int(Int32(clamping: index)))
        #expect(marker.groundAnchor == .init(x: share, y: share))
        #expect(marker.groundAnchor == .init(x: number, y: number))
    }

    @Test(
        arguments: [
            (-100.0, "now"), (0, "now"), (29, "now"), (31, "1 min"), (190, "3 min"), (3540, "59 min"),
            (3600, "1 h 0 min"), (3900, "1 h 5 min"), (.infinity, "24 h 0 min"), (.nan, "now"),
        ]
    )
    func `Arrival is told in minutes`(seconds: Double, text: String) {
        #expect(ArrivalText.minutes(seconds) == text)
    }
}
