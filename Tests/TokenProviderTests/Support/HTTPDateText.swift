import Foundation

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
