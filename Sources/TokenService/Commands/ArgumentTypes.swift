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
    /// Reads a lifetime: seconds, or a duration as in the configuration.
    ///
    /// - Throws: `ValidationError` that says what would do.
    package init(_ argument: String) throws {
        let isNumber = argument.utf8.allSatisfy(\.isASCIIDigit)
        let seconds = isNumber ? Int64(argument) : Duration(setting: argument)?.components.seconds
        guard let seconds, let lifetime = try? TokenLifetime(seconds: seconds) else {
            throw ValidationError(
                "The lifetime must be from 600 to 3540 seconds, such as 3540, 59m or 10m; a full hour is not allowed."
            )
        }
        self = lifetime
    }
}

extension NumericDate: ExpressibleByArgument {
    /// Creates a time from `2026-11-20T22:48:10Z` or whole seconds since 1970.
    public init?(argument: String) {
        self.init(text: argument)
    }
}
