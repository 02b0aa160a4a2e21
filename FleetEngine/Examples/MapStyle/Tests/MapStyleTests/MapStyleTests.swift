import FleetEngineClient
import Foundation
import GoogleRidesharingConsumer
import Testing

@testable import MapStyle

@MainActor
struct MapStyleTests {
    @Test
    func `The SDK's map gets all options of all types`() {
        var style = StyleCoordinator()
        var marker = MarkerStyleOptions(for: .tripVehicle)
        marker.isVisible = false
        marker.zIndex = 100
        marker.icon = .eta
        style.setMarkerStyleOptions(marker, markerType: .tripVehicle)
        var unknown = MarkerStyleOptions(for: .unknown)
        unknown.iconView = .dot
        style.setMarkerStyleOptions(unknown, markerType: .unknown)
        var route = PolylineStyleOptions(for: .activeRoute)
        route.isTrafficEnabled = true
        route.zIndex = 1000
        route.isGeodesic = true
        route.setTrafficColor(for: .slow, color: .yellow)
        style.setPolylineStyleOptions(route, polylineType: .activeRoute)
        let coordinator = GMTCConsumerMapStyleCoordinator()
        let (image, view) = (MapImages.empty, MapImages.emptyView)
        ConsumerMapStyle.apply(
            style,
            to: coordinator,
            image: { $0 == .eta ? image : nil },
            view: { $0 == .dot ? view : nil }
        )
        let vehicle = coordinator.markerStyleOptions(for: .tripVehicle)
        #expect(vehicle?.isVisible == false)
        #expect(vehicle?.zIndex == 100)
        #expect(vehicle?.isFlat == true)
        #expect(vehicle?.icon === image)
        #expect(vehicle?.iconView == nil)
        #expect(vehicle?.groundAnchor == CGPoint(x: 0.5, y: 0.5))
        #expect(coordinator.markerStyleOptions(for: .tripPickupPoint)?.groundAnchor == CGPoint(x: 0.5, y: 1))
        #expect(coordinator.markerStyleOptions(for: .unknown)?.iconView === view)
        let active = coordinator.polylineStyleOptions(for: .activeRoute)
        #expect(active?.isTrafficEnabled == true)
        #expect(active?.width == 6)
        #expect(active?.zIndex == 1000)
        #expect(active?.isGeodesic == true)
        #expect(MapImages.components(active?.trafficColors[.slow]) == [1, 1, 0, 1])
        let remaining = coordinator.polylineStyleOptions(for: .remainingRoute)
        #expect(remaining?.isTrafficEnabled == false)
        #expect(remaining?.zIndex == 0)
    }
}
