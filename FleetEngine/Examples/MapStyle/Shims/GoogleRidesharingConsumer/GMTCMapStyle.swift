// What the adapter touches of the Consumer SDK's map style, with the names in Google's guide.

public import Foundation
public import UIKit

/// A marker whose style can be set.
public enum GMTCCustomizableMarkerType: Int, Sendable {
    /// As in the SDK.
    case unknown, tripPickupPoint, tripDropoffPoint, tripVehicle, intermediateDestination
}

/// A route whose style can be set.
public enum GMTCPolylineType: Int, Sendable {
    /// As in the SDK.
    case activeRoute, remainingRoute
}

/// The speed of traffic.
public enum GMTSSpeedType: Int, Sendable {
    /// As in the SDK.
    case noData, normal, slow, trafficJam
}

/// The style of a marker.
open class GMTCMarkerStyleOptions: NSObject {
    /// As in the SDK.
    public var groundAnchor = CGPoint(x: 0.5, y: 1)
    /// As in the SDK.
    public var isVisible = true
    /// As in the SDK.
    public var icon: UIImage?
    /// As in the SDK.
    public var iconView: UIView?
    /// As in the SDK.
    public var zIndex: Int32 = 0
    /// As in the SDK.
    public var isFlat = false
}

/// The style of a marker, to be changed.
public final class GMTCMutableMarkerStyleOptions: GMTCMarkerStyleOptions {}

/// The style of a route.
open class GMTCPolylineStyleOptions: NSObject {
    /// As in the SDK.
    public var color: UIColor?
    /// As in the SDK.
    public var width: Double = 1
    /// As in the SDK.
    public var isVisible = true
    /// As in the SDK.
    public var zIndex: Int32 = 0
    /// As in the SDK.
    public var isGeodesic = false
    /// As in the SDK.
    public var isTrafficEnabled = false
    /// What was set for each speed.
    public var trafficColors: [GMTSSpeedType: UIColor] = [:]
}

/// The style of a route, to be changed.
public final class GMTCMutablePolylineStyleOptions: GMTCPolylineStyleOptions {
    /// As in the SDK.
    public func setTrafficColorFor(_ speed: GMTSSpeedType, color: UIColor?) {
        trafficColors[speed] = color
    }
}

/// The styles of a map.
@MainActor
public final class GMTCConsumerMapStyleCoordinator {
    private var markers: [GMTCCustomizableMarkerType: GMTCMarkerStyleOptions] = [:]
    private var polylines: [GMTCPolylineType: GMTCPolylineStyleOptions] = [:]

    /// Creates a coordinator; in the SDK the map view has one.
    public init() {}

    /// As in the SDK.
    public func setMarkerStyleOptions(_ options: GMTCMarkerStyleOptions?, markerType: GMTCCustomizableMarkerType) {
        markers[markerType] = options
    }

    /// As in the SDK.
    public func markerStyleOptions(for type: GMTCCustomizableMarkerType) -> GMTCMarkerStyleOptions? { markers[type] }

    /// As in the SDK.
    public func setPolylineStyleOptions(_ options: GMTCPolylineStyleOptions?, polylineType: GMTCPolylineType) {
        polylines[polylineType] = options
    }

    /// As in the SDK.
    public func polylineStyleOptions(for type: GMTCPolylineType) -> GMTCPolylineStyleOptions? { polylines[type] }
}
