import FleetEngineClient
import Foundation
import GoogleRidesharingConsumer
import UIKit

/// Gives the Consumer SDK's map a style.
///
/// Copy this file into the app, with those of `StyleCoordinator` and its options. For a marker with the time until arrival,
/// let `image` draw `ArrivalText` for the icon `.eta`, and apply the style again every minute.
enum ConsumerMapStyle {
    @MainActor
    static func apply(
        _ style: StyleCoordinator,
        to coordinator: GMTCConsumerMapStyleCoordinator,
        image: (MarkerStyleOptions.Icon) -> UIImage?,
        view: (MarkerStyleOptions.Icon) -> UIView? = { _ in nil }
    ) {
        let markers: [(CustomizableMarkerType, GMTCCustomizableMarkerType)] = [
            (.tripPickupPoint, .tripPickupPoint), (.tripDropoffPoint, .tripDropoffPoint), (.tripVehicle, .tripVehicle),
            (.intermediateDestination, .intermediateDestination), (.unknown, .unknown),
        ]
        for (type, markerType) in markers {
            let options = style.markerStyleOptions(for: type)
            let marker = GMTCMutableMarkerStyleOptions()
            marker.groundAnchor = CGPoint(x: options.groundAnchor.x, y: options.groundAnchor.y)
            marker.isVisible = options.isVisible
            marker.icon = image(options.icon)
            // In the SDK, a view comes before an icon.
            marker.iconView = options.iconView.flatMap(view)
            marker.zIndex = Int32(clamping: options.zIndex)
            marker.isFlat = options.isFlat
            coordinator.setMarkerStyleOptions(marker, markerType: markerType)
        }
        let polylines: [(PolylineType, GMTCPolylineType)] = [
            (.activeRoute, .activeRoute), (.remainingRoute, .remainingRoute),
        ]
        let speeds: [(SpeedType, GMTSSpeedType)] = [
            (.noData, .noData), (.normal, .normal), (.slow, .slow), (.trafficJam, .trafficJam),
        ]
        for (type, polylineType) in polylines {
            let options = style.polylineStyleOptions(for: type)
            let polyline = GMTCMutablePolylineStyleOptions()
            polyline.color = UIColor(options.color)
            polyline.width = options.width
            polyline.isVisible = options.isVisible
            polyline.zIndex = Int32(clamping: options.zIndex)
            polyline.isGeodesic = options.isGeodesic
            polyline.isTrafficEnabled = options.isTrafficEnabled
            for (speed, speedType) in speeds {
                polyline.setTrafficColorFor(speedType, color: UIColor(options.trafficColor(for: speed)))
            }
            coordinator.setPolylineStyleOptions(polyline, polylineType: polylineType)
        }
    }
}

extension UIColor {
    nonisolated fileprivate convenience init(_ color: StyleColor) {
        self.init(
            red: Double(color.red) / 255,
            green: Double(color.green) / 255,
            blue: Double(color.blue) / 255,
            alpha: Double(color.alpha) / 255
        )
    }
}
