public import Foundation

/// An error of a request to Fleet Engine.
public struct FleetEngineError: Error, Hashable, Sendable {
    /// The gRPC status code.
    public let code: Code
    /// The server's message or the client's own: a description for developers.
    ///
    /// Fleet Engine's messages may contain an ID, which is personal data. They never contain the token.
    public let message: String
    /// The reason in the details of the server's error, such as `CLAIM_MISMATCH`; nil if there is none.
    public let reason: String?
    /// The HTTP status code of the response; nil if there was none.
    public let httpStatus: Int?
    /// The number of seconds after which the server allows a retry.
    public let retryAfter: TimeInterval?

    /// Creates an error, for tests and previews.
    public init(
        _ code: Code,
        _ message: String,
        reason: String? = nil,
        httpStatus: Int? = nil,
        retryAfter: TimeInterval? = nil
    ) {
        self.code = code
        self.message = message
        self.reason = reason
        self.httpStatus = httpStatus
        self.retryAfter = retryAfter
    }

    /// Whether the app must act: the client retries until following or reporting is stopped,
    /// but won't recover before.
    ///
    /// Otherwise the client recovers by itself from a server or network error. It follows the table of status codes in
    /// Google's guides, and recovers also from other server errors, which the guides don't mention.
    public var needsAction: Bool {
        switch code {
        case .aborted, .cancelled, .deadlineExceeded, .unavailable, .unknown, .internal, .dataLoss: false
        default: true
        }
    }
}

extension FleetEngineError: CustomStringConvertible {
    /// The code's name and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension FleetEngineError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}

extension FleetEngineError {
    private static let emptyMaskMessage = "update_mask cannot be empty"

    static let emptyMask = Self(.invalidArgument, emptyMaskMessage)

    /// Whether a vehicle's update had no field, which happens mostly before the first location is known.
    ///
    /// Google's guides count it apart from failed updates.
    public var isEmptyMask: Bool { code == .invalidArgument && message.contains(Self.emptyMaskMessage) }
}
