import FleetToken
import Foundation

extension Secret {
    /// A JWT with these claims; its signature is nobody's.
    init(claims: some Sequence<UInt8>, serial: Int = 0) {
        let parts = [
            Array(#"{"alg":"RS256","typ":"JWT","kid":"test"}"#.utf8), Array(claims), Array("signature \(serial)".utf8),
        ]
        self.init(parts.map { String(decoding: Base64URL.encode($0), as: UTF8.self) }.joined(separator: "."))
    }

    /// A JWT that opens a scope.
    init(scope: FleetToken.TokenScope, now: NumericDate = .now, lifetime: TokenLifetime = .default, serial: Int = 0) {
        let claims = FleetClaims(issuer: "signer@test.example", scope: scope, lifetime: lifetime, now: now)
        self.init(claims: claims.encoded(), serial: serial)
    }
}

extension TokenResponse {
    /// `tokend`'s answer for a scope.
    init(for scope: FleetToken.TokenScope, now: NumericDate, serial: Int = 0) {
        self.init(
            token: Secret(scope: scope, now: now, serial: serial),
            issuedAt: now - FleetClaims.backdating,
            expiresAt: now + TokenLifetime.default.seconds,
            now: now
        )
    }
}

/// Dates as servers write them.
enum HTTPDateText {
    static func imf(_ date: Date) -> String { text(date, "EEE, dd MMM yyyy HH:mm:ss 'GMT'") }
    static func rfc850(_ date: Date) -> String { text(date, "EEEE, dd-MMM-yy HH:mm:ss 'GMT'") }
    static func asctime(_ date: Date) -> String {
        let day = text(date, "d")
        return text(date, "EEE MMM ") + (day.count == 1 ? " " : "") + day + text(date, " HH:mm:ss yyyy")
    }

    private static func text(_ date: Date, _ format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = format
        return formatter.string(from: date)
    }
}
