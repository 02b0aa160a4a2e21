// What the Objective-C part of TokenProvider touches of Foundation in Swift: enough for the compiler to make its header.

@_exported import Foundation

/// Stands in for the real one.
public typealias TimeInterval = Double

/// Stands in for the real one.
public struct URL: Sendable {}

// Nothing of it changes.
extension NSError: @unchecked Sendable, Error {
    /// Stands in for the real one.
    public convenience init(domain: String, code: Int, userInfo: [String: Any]) { self.init() }
}

extension String: _ObjectiveCBridgeable {
    /// Stands in for the real one.
    public func _bridgeToObjectiveC() -> NSString { preconditionFailure() }
    /// Stands in for the real one.
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
    /// Stands in for the real one.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { false }
    /// Stands in for the real one.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { preconditionFailure() }
}

extension URL: _ObjectiveCBridgeable {
    /// Stands in for the real one.
    public func _bridgeToObjectiveC() -> NSURL { preconditionFailure() }
    /// Stands in for the real one.
    public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) {}
    /// Stands in for the real one.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) -> Bool { false }
    /// Stands in for the real one.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL { preconditionFailure() }
}

extension Dictionary: _ObjectiveCBridgeable {
    /// Stands in for the real one.
    public func _bridgeToObjectiveC() -> NSDictionary { preconditionFailure() }
    /// Stands in for the real one.
    public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) {}
    /// Stands in for the real one.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) -> Bool {
        false
    }
    /// Stands in for the real one.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Dictionary {
        preconditionFailure()
    }
}
