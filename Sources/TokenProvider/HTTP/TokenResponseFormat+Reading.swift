import FleetToken
import StrictCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TokenResponseFormat {
    /// The values in a response, not yet compared with the token itself.
    struct Reading {
        /// The token.
        var token: Secret
        /// The remaining lifetime, in seconds.
        var secondsFromNow: TimeInterval?
        /// When it expires, in seconds since 1970.
        var secondsSince1970: TimeInterval?
    }

    /// Reads a body.
    ///
    /// - Throws: ``TokenProviderError`` with code ``TokenProviderError/Code/unexpectedResponse``, which names keys of
    ///   this format and nothing of the body.
    func read(_ body: [UInt8]) throws(TokenProviderError) -> Reading {
        guard let object = (try? JSONParser.parse(body))?.objectValue else {
            throw TokenProviderError(
                .unexpectedResponse,
                "The response is not a JSON object. Check that the URL is the token server's."
            )
        }
        guard let token = object[tokenKey]?.stringValue else {
            throw TokenProviderError(
                .unexpectedResponse,
                "The response has no string \(tokenKey). Choose the server's TokenResponseFormat."
            )
        }
        var reading = Reading(token: Secret(token))
        guard let expiryKey else { return reading }
        guard let expiry = object[expiryKey]?.number else {
            throw TokenProviderError(
                .unexpectedResponse,
                "The response has no number \(expiryKey). Choose the server's TokenResponseFormat."
            )
        }
        guard let seconds = expiryUnit.plausibleSeconds(expiry) else {
            throw TokenProviderError(
                .unexpectedResponse,
                "\(expiryKey) is in a different unit than the TokenResponseFormat's expiryUnit. Choose the right one."
            )
        }
        if expiryUnit == .secondsFromNow {
            reading.secondsFromNow = seconds
        } else {
            reading.secondsSince1970 = seconds
        }
        return reading
    }
}

extension TokenResponseFormat.ExpiryUnit {
    /// Returns the number in seconds; nil if it is implausible for this unit.
    ///
    /// Tokens are valid for an hour, so more than a week from now, or a date before 2001 or after 5138, indicates another
    /// unit. Such a number is an error, which shows in the first test of an app, and not a token that is cached for
    /// years.
    fileprivate func plausibleSeconds(_ number: Double) -> TimeInterval? {
        switch self {
        case .secondsFromNow: number <= 7 * 86_400 ? number : nil
        case .secondsSince1970: (1e9...1e11).contains(number) ? number : nil
        case .millisecondsSince1970: (1e12...1e14).contains(number) ? number / 1000 : nil
        }
    }
}

extension JSONValue {
    /// A number, with or without a fraction.
    fileprivate var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .decimal(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }
}
