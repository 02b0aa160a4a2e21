public import Foundation
public import TokenProvider

/// Reports a vehicle to Fleet Engine, as the Driver SDK's vehicle reporters do.
///
/// While location tracking is on, an update is sent at each interval: the location, the remaining time and distance while
/// the vehicle navigates, and what else has changed. After a failure the next update has the newest data. One request is
/// under way at a time. All methods may be called from any thread.
public protocol VehicleReporting: AnyObject, Sendable {
    /// The vehicle's ID.
    var vehicleID: ResourceID { get }

    /// Whether updates are sent: false until it is set.
    ///
    /// The first update is sent at once.
    var locationTrackingEnabled: Bool { get set }

    /// The interval between updates in seconds: 10, limited to the range 5 to 60.
    ///
    /// A change takes effect after the next update.
    var locationUpdateInterval: TimeInterval { get set }

    /// The number of updates so far.
    var statistics: VehicleReporterStatistics { get }

    /// The outcomes of updates from now on; each access is a separate stream, which ends with the reporter.
    ///
    /// A slow reader loses the oldest of more than 256 events.
    var events: AsyncStream<VehicleReporterEvent> { get }

    /// Adds a listener, which is held weakly; adding it twice has no effect.
    ///
    /// Its methods are called on the main actor.
    func addListener(_ listener: any VehicleReporterListener)

    /// Removes a listener; called on the main actor, no method of it is called after that.
    ///
    /// It may be called in the listener's `deinit`.
    func removeListener(_ listener: any VehicleReporterListener)
}

/// Receives the outcomes of updates; each method is optional.
@MainActor
public protocol VehicleReporterListener: AnyObject, Sendable {
    /// Fleet Engine accepted an update.
    func vehicleReporter(_ reporter: any VehicleReporting, didSucceed update: VehicleUpdate)
    /// An update failed; reporting continues.
    ///
    /// The error is a ``VehicleReporterError``.
    func vehicleReporter(_ reporter: any VehicleReporting, didFail update: VehicleUpdate, withError error: any Error)
}

extension VehicleReporterListener {
    /// Does nothing.
    public func vehicleReporter(_ reporter: any VehicleReporting, didSucceed update: VehicleUpdate) {}
    /// Does nothing.
    public func vehicleReporter(
        _ reporter: any VehicleReporting,
        didFail update: VehicleUpdate,
        withError error: any Error
    ) {}
}

/// The error of a vehicle update, with the error of Fleet Engine inside, as the guides' code expects it.
///
/// As an `NSError`, the inner error is under `NSUnderlyingErrorKey`.
public struct VehicleReporterError: Error, Hashable, Sendable {
    /// The error of Fleet Engine, or of the reporter itself if there was nothing to send.
    public let underlyingError: FleetEngineError

    /// Creates an error, for tests and previews.
    public init(_ underlyingError: FleetEngineError) {
        self.underlyingError = underlyingError
    }

    /// Whether the update had no field, which happens mostly before the first location is known.
    ///
    /// The guides count it apart from failed updates.
    public var isEmptyMask: Bool { underlyingError.isEmptyMask }
}

extension VehicleReporterError: CustomNSError, LocalizedError, CustomStringConvertible {
    /// The domain of the `NSError`.
    public static let errorDomain = "FleetToken.VehicleReporterError"

    /// The code of the `NSError`: always 1, as that of the Driver SDK.
    public var errorCode: Int { 1 }

    /// The `NSError`'s user info: the message and the underlying error.
    public var errorUserInfo: [String: Any] {
        let underlying = NSError(
            domain: FleetEngineError.errorDomain,
            code: underlyingError.errorCode,
            userInfo: underlyingError.errorUserInfo
        )
        return [NSLocalizedDescriptionKey: "Vehicle update failed.", NSUnderlyingErrorKey: underlying]
    }

    /// The message, which the Driver SDK has too.
    public var errorDescription: String? { "Vehicle update failed." }

    /// The message and the underlying error.
    public var description: String { "Vehicle update failed. \(underlyingError)" }
}

extension FleetEngineError {
    private static let emptyMaskMessage = "update_mask cannot be empty"

    static let emptyMask = Self(.invalidArgument, emptyMaskMessage)

    var isEmptyMask: Bool { code == .invalidArgument && message.contains(Self.emptyMaskMessage) }
}

/// The number of updates of a reporter.
public struct VehicleReporterStatistics: Hashable, Sendable {
    /// Updates that Fleet Engine accepted.
    public internal(set) var succeededUpdates = 0
    /// Updates that failed, apart from those without a field.
    public internal(set) var failedUpdates = 0
    /// Updates without a field.
    public internal(set) var emptyMaskUpdates = 0
}

/// The outcome of an update.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum VehicleReporterEvent: Sendable {
    /// Fleet Engine accepted an update.
    case succeeded(VehicleUpdate)
    /// An update failed; reporting continues.
    case failed(VehicleUpdate, VehicleReporterError)
}
