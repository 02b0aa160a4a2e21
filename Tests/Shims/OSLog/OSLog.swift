// What the examples touch of OSLog, by its names: texts that are written, with a privacy for each value.

/// What may be seen of a value.
public struct OSLogPrivacy: Sendable {
    /// All of it.
    public static let `public` = Self()
}

/// A text with values.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    /// As OSLog has it.
    public struct StringInterpolation: StringInterpolationProtocol {
        /// As OSLog has it.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// As OSLog has it.
        public mutating func appendLiteral(_ literal: String) {}
        /// As OSLog has it.
        public mutating func appendInterpolation(_ value: @autoclosure () -> Int) {}
        /// As OSLog has it.
        public mutating func appendInterpolation(
            _ value: @autoclosure () -> some CustomStringConvertible,
            privacy: OSLogPrivacy
        ) {}
    }

    /// As OSLog has it.
    public init(stringLiteral value: String) {}
    /// As OSLog has it.
    public init(stringInterpolation: StringInterpolation) {}
}

/// Writes to the system's log.
public struct Logger: Sendable {
    /// As OSLog has it.
    public init(subsystem: String, category: String) {}
    /// As OSLog has it.
    public func error(_ message: OSLogMessage) {}
}
