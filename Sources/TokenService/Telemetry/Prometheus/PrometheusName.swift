/// Names as Prometheus takes them: ASCII letters, digits and underscores, and no digit first.
///
/// The colon that a metric's name may have is left to recording rules.
enum PrometheusName {
    private static let maximumLength = 128

    /// Makes a name out of any text, such as `http.server.requests`; nil if there is no text, or too much.
    static func sanitize(_ text: String) -> String? {
        guard (1...maximumLength).contains(text.utf8.count) else { return nil }
        var name = String(text.unicodeScalars.map { isAllowed($0) ? Character($0) : "_" })
        if ("0"..."9").contains(text.unicodeScalars.first ?? "_") { name = "_\(name)" }
        return name
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
