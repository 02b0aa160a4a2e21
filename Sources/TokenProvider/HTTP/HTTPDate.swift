import Foundation

/// An HTTP-date, in each of the three formats that a recipient must accept (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let formats = [
        "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ]

    static func parse(_ text: String) -> Date? {
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let words = text.split(separator: " ").joined(separator: " ")
        for format in formats {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.isLenient = false
            formatter.dateFormat = format
            // No response was sent before 1970.
            formatter.twoDigitStartDate = Date(timeIntervalSince1970: 0)
            if let date = formatter.date(from: words), date.timeIntervalSince1970 >= 0 { return date }
        }
        return nil
    }
}
