import ArgumentParser
import FleetToken

/// The keys under which a server's response has the token and its expiry.
struct ResponseDialect {
    /// The unit of an expiry, by the names in TokenProvider.
    enum Unit: String, CaseIterable, ExpressibleByArgument {
        case secondsFromNow, secondsSince1970, millisecondsSince1970

        /// Creates the unit in which a number can be a token's expiry.
        init?(of number: Int64) {
            switch number {
            case 0...604_800: self = .secondsFromNow
            case 1_000_000_000...100_000_000_000: self = .secondsSince1970
            case 1_000_000_000_000...100_000_000_000_000: self = .millisecondsSince1970
            default: return nil
            }
        }

        func date(_ number: Int64, from now: NumericDate) -> NumericDate {
            switch self {
            case .secondsFromNow: now + number
            case .secondsSince1970: NumericDate(seconds: number)
            case .millisecondsSince1970: NumericDate(seconds: number / 1000)
            }
        }
    }

    /// Who reads it.
    let reader: String
    let token: String
    let expiry: String
    /// The unit; nil for any.
    let unit: Unit?

    /// The dialects that TokenProvider's documentation lists for GET.
    static let known = [
        Self(reader: "TokenProvider", token: "token", expiry: "expiresInSeconds", unit: .secondsFromNow),
        Self(
            reader: "the on-demand samples",
            token: "jwt",
            expiry: "expirationTimestamp",
            unit: .millisecondsSince1970
        ),
        Self(
            reader: "the last-mile samples",
            token: "token",
            expiry: "expiration_timestamp_ms",
            unit: .millisecondsSince1970
        ),
        Self(reader: "the Consumer SDK's guide", token: "TRIP_TOKEN_KEY", expiry: "TOKEN_EXPIRATION", unit: nil),
        Self(reader: "the Driver SDK's guide", token: "VEHICLE_TOKEN_KEY", expiry: "TOKEN_EXPIRATION", unit: nil),
    ]
}

extension JSONObject {
    /// The value under keys that dots separate.
    subscript(path path: String) -> JSONValue? {
        path.split(separator: ".").reduce(.object(self)) { value, key in value?.objectValue?[String(key)] }
    }
}
