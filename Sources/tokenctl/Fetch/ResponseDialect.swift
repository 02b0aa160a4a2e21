/// The keys under which a response has the token and its expiry.
struct ResponseDialect {
    /// The unit of an expiry.
    enum Unit {
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
    }

    /// What reads it.
    let reader: String
    let token: String
    let expiry: String
    let unit: Unit

    /// TokenProvider's dialect, and those of Google's samples.
    static let all = [
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
    ]
}
