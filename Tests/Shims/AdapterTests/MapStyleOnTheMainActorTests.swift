import GoogleRidesharingConsumer
import Testing

@testable import AdaptersOnTheMainActor

/// The same adapter where everything is on the main actor by default, as in a new project of Xcode's.
@MainActor
@Suite("The map style's adapter, isolated to the main actor")
struct MapStyleOnTheMainActorTests {
    @Test("The SDK's map gets the style")
    func style() {
        var style = StyleCoordinator()
        var marker = MarkerStyleOptions(for: .tripVehicle)
        marker.zIndex = 100
        style.setMarkerStyleOptions(marker, markerType: .tripVehicle)
        let coordinator = GMTCConsumerMapStyleCoordinator()
        ConsumerMapStyle.apply(style, to: coordinator, image: { _ in nil })
        #expect(coordinator.markerStyleOptions(for: .tripVehicle)?.zIndex == 100)
    }
}
