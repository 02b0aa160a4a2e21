import FleetToken

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension NumericDate {
    /// The time as RFC 3339 has it, in UTC: `2027-01-31T00:00:00Z`.
    var dateText: String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }

    /// Reads a time that is written exactly as ``dateText`` would write it, or returns nil.
    init?(dateText: String) {
        guard let date = try? Date(dateText, strategy: .iso8601) else { return nil }
        let time = Self(seconds: Int64(date.timeIntervalSince1970.rounded(.down)))
        // Foundation reads more than one spelling, and some days that don't exist.
        guard time.dateText.utf8.elementsEqual(dateText.utf8) else { return nil }
        self = time
    }
}
