// What apps use of Google's Maps SDK. The reference is at
// https://developers.google.com/maps/documentation/ios-sdk/reference/objc/

public import Foundation
public import UIKit

/// The SDK's entry point: `Classes/GMSServices`.
public final class GMSServices: NSObject {
    /// Provides the API key; to be called once, before any map is created.
    @discardableResult
    public class func provideAPIKey(_ key: String) -> Bool { true }
}

/// A map: `Classes/GMSMapView`.
@MainActor
open class GMSMapView: UIView {}
