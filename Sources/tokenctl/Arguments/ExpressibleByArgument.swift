public import ArgumentParser
public import FleetToken
import TokenMinting

extension TokenKind: ExpressibleByArgument {
    /// Creates a kind from its name, ignoring case.
    public init?(argument: String) {
        self.init(name: argument)
    }
}

extension TokenLifetime: ExpressibleByArgument {
    /// Creates a lifetime from a whole number of seconds.
    public init?(argument: String) {
        guard let seconds = Int64(argument), let lifetime = try? TokenLifetime(seconds: seconds) else { return nil }
        self = lifetime
    }

    /// The number, as help shows the default.
    public var defaultValueDescription: String { String(seconds) }
}

extension NumericDate: ExpressibleByArgument {
    /// Creates a time from RFC 3339 or whole seconds since 1970.
    public init?(argument: String) {
        self.init(text: argument)
    }
}
