import Foundation
import GoogleRidesharingConsumer
import UIKit

/// The style of the Consumer SDK's map, as Google's guide describes it: copy this file and `ArrivalText.swift` into the app.
///
/// ```swift
/// let styles = mapView.consumerMapStyleCoordinator
/// ConsumerMapStyle.apply(to: styles, vehicle: UIImage(resource: .car))
/// ConsumerMapStyle.showArrival(in: pickupTime.timeIntervalSinceNow, on: styles) { draw($0) }
/// ```
@MainActor
enum ConsumerMapStyle {
    /// Sets the vehicle's icon, and the colors of the route and of slow traffic.
    ///
    /// Markers and routes of other types keep the SDK's style.
    static func apply(to styles: GMTCConsumerMapStyleCoordinator, vehicle: UIImage) {
        let marker = GMTCMutableMarkerStyleOptions()
        marker.icon = vehicle
        marker.groundAnchor = CGPoint(x: 0.5, y: 0.5)
        // A flat marker lies on the map and turns with the vehicle.
        marker.isFlat = true
        marker.zIndex = 100
        styles.setMarkerStyleOptions(marker, markerType: .tripVehicle)

        let route = GMTCMutablePolylineStyleOptions()
        route.color = UIColor(red: 0.1, green: 0.42, blue: 0.88, alpha: 1)
        route.width = 6
        route.isTrafficEnabled = true
        route.setTrafficColorFor(.slow, color: UIColor(red: 1, green: 1, blue: 0, alpha: 1))
        route.setTrafficColorFor(.trafficJam, color: UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1))
        styles.setPolylineStyleOptions(route, polylineType: .activeRoute)
    }

    /// Shows the time until arrival in place of the pickup point's icon.
    ///
    /// Call it again every ``ArrivalText/refreshInterval`` seconds, as the guide does.
    ///
    /// - Parameters:
    ///   - seconds: The time until arrival, in seconds.
    ///   - styles: The map's styles.
    ///   - draw: Draws a marker with a text.
    static func showArrival(
        in seconds: Double,
        on styles: GMTCConsumerMapStyleCoordinator,
        draw: (String) -> UIImage
    ) {
        let marker = GMTCMutableMarkerStyleOptions()
        marker.icon = draw(ArrivalText.minutes(seconds))
        styles.setMarkerStyleOptions(marker, markerType: .tripPickupPoint)
    }

    /// Restores the SDK's own style.
    static func reset(_ styles: GMTCConsumerMapStyleCoordinator) {
        styles.setMarkerStyleOptions(nil, markerType: .tripVehicle)
        styles.setMarkerStyleOptions(nil, markerType: .tripPickupPoint)
        styles.setPolylineStyleOptions(nil, polylineType: .activeRoute)
    }
}
