public import Foundation

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
@nonexhaustive
public enum VehicleReporterEvent: Sendable {
    /// Fleet Engine accepted an update.
    case succeeded(VehicleUpdate)
    /// An update failed; reporting continues.
    case failed(VehicleUpdate, VehicleReporterError)
}
