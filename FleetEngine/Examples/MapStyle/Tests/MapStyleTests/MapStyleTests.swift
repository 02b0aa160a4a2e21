import Foundation
import GoogleRidesharingConsumer
import Testing

@testable import MapStyle

@MainActor
struct MapStyleTests {
    @Test
    func `The map gets the app's style, and nil restores the SDK's`() {
        let styles = GMTCConsumerMapStyleCoordinator()
        ConsumerMapStyle.apply(to: styles, vehicle: MapImages.car)
        var texts: [String] = []
        ConsumerMapStyle.showArrival(in: 190, on: styles) { text in
            texts.append(text)
            return MapImages.eta
        }
        #expect(texts == ["3 min"])
        let vehicle = styles.markerStyleOptions(for: .tripVehicle)
        #expect(vehicle?.icon === MapImages.car)
        #expect(vehicle?.isFlat == true)
        #expect(vehicle?.groundAnchor == CGPoint(x: 0.5, y: 0.5))
        let pickup = styles.markerStyleOptions(for: .tripPickupPoint)
        #expect(pickup?.icon === MapImages.eta)
        #expect(pickup?.groundAnchor == CGPoint(x: 0.5, y: 1))
        let route = styles.polylineStyleOptions(for: .activeRoute)
        #expect(route?.isTrafficEnabled == true)
        #expect(MapImages.components(route?.trafficColors[.slow]) == [1, 1, 0, 1])
        #expect(styles.polylineStyleOptions(for: .remainingRoute) == nil)

        ConsumerMapStyle.reset(styles)
        #expect(styles.markerStyleOptions(for: .tripVehicle) == nil)
        #expect(styles.markerStyleOptions(for: .tripPickupPoint) == nil)
        #expect(styles.polylineStyleOptions(for: .activeRoute) == nil)
    }

    @Test(
        arguments: [
            (-100.0, "now"), (0, "now"), (29, "now"), (31, "1 min"), (190, "3 min"), (3540, "59 min"),
            (3600, "1 h 0 min"), (3900, "1 h 5 min"), (.infinity, "24 h 0 min"), (.nan, "now"),
        ]
    )
    func `Arrival is written in minutes`(seconds: Double, text: String) {
        #expect(ArrivalText.minutes(seconds) == text)
    }
}
