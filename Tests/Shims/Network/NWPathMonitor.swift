// What the examples use of Apple's Network framework: https://developer.apple.com/documentation/network/nwpathmonitor

public import Dispatch

/// The device's networks.
public struct NWPath: Sendable {
    /// Whether requests can be sent.
    public enum Status: Sendable {
        case satisfied, unsatisfied
    }

    /// Whether requests can be sent.
    public let status: Status
}

/// Reports changes of the device's networks.
public final class NWPathMonitor: Sendable {
    /// Creates a monitor.
    public init() {}

    /// Called after each change.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { nil }
        set {}
    }

    /// Starts the monitor.
    public func start(queue: DispatchQueue) {}
}
