public import ArgumentParser
public import FleetToken
import ServiceSupport

extension TokenKind: ExpressibleByArgument {
    /// Creates a kind from its name, ignoring case.
    public init?(argument: String) {
        self.init(name: argument)
    }
}

extension TokenLifetime {
    /// Reads a lifetime: seconds, or a number with `s`, `m` or `h`.
    ///
    /// - Throws: `ValidationError` that says what would do.
    package init(_ argument: String) throws {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
        let unit = argument.last.flatMap { units[$0] }
        let number = unit == nil ? argument[...] : argument.dropLast()
        guard number.utf8.allSatisfy(\.isASCIIDigit), let count = Int64(number),
            case let (seconds, isTooLarge) = count.multipliedReportingOverflow(by: unit ?? 1), !isTooLarge,
            let lifetime = try? TokenLifetime(seconds: seconds)
        else {
            throw ValidationError(
                "The lifetime must be from 600 to 3540 seconds, such as 3540, 59m or 10m; a full hour is not allowed."
            )
        }
        self = lifetime
    }
}

extension NumericDate: ExpressibleByArgument {
    /// Creates a time from RFC 3339 or whole seconds since 1970.
    public init?(argument: String) {
        self.init(text: argument)
    }
}
