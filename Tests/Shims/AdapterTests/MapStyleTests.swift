import FleetEngineClient
import Foundation
import GoogleRidesharingConsumer
import Testing

@testable import Adapters
@testable import AdaptersOnTheMainActor

/// The map style's adapter, compiled against stand-ins for Google's and Apple's frameworks.
@MainActor
struct MapStyleTests {
    @Test("The SDK's map gets all options of all types")
    func everyOption() {
        var style = StyleCoordinator()
        var marker = MarkerStyleOptions(for: .tripVehicle)
        marker.isVisible = false
        marker.zIndex = 100
        marker.icon = .eta
        style.setMarkerStyleOptions(marker, markerType: .tripVehicle)
        var route = PolylineStyleOptions(for: .activeRoute)
        route.isTrafficEnabled = true
        route.setTrafficColor(for: .slow, color: .yellow)
        style.setPolylineStyleOptions(route, polylineType: .activeRoute)
        for apply in [Adapters.ConsumerMapStyle.apply, AdaptersOnTheMainActor.ConsumerMapStyle.apply] {
            let coordinator = GMTCConsumerMapStyleCoordinator()
            let image = MapImages.empty
            apply(style, coordinator) { $0 == .eta ? image : nil }
            let vehicle = coordinator.markerStyleOptions(for: .tripVehicle)
            #expect(vehicle?.isVisible == false)
            #expect(vehicle?.zIndex == 100)
            #expect(vehicle?.isFlat == true)
            #expect(vehicle?.icon === image)
            #expect(vehicle?.groundAnchor == CGPoint(x: 0.5, y: 0.5))
            #expect(coordinator.markerStyleOptions(for: .tripPickupPoint)?.groundAnchor == CGPoint(x: 0.5, y: 1))
            let active = coordinator.polylineStyleOptions(for: .activeRoute)
            #expect(active?.isTrafficEnabled == true)
            #expect(active?.width == 6)
            #expect(MapImages.components(active?.trafficColors[.slow]) == [1, 1, 0, 1])
            #expect(coordinator.polylineStyleOptions(for: .remainingRoute)?.isTrafficEnabled == false)
        }
    }
}
