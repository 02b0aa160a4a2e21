/// Writes Prometheus's text exposition format 0.0.4.
struct PrometheusPage {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []

    /// Writes a metric's help, if it has any, and its type.
    mutating func header(_ name: String, help: String?, type: String) {
        if let help {
            append("# HELP \(name) ")
            bytes.append(contentsOf: Self.escape(help, quotes: false))
            append("\n")
        }
        append("# TYPE \(name) \(type)\n")
    }

    /// Writes a sample with a number, as ``number(_:)`` or a whole one's description has it.
    mutating func sample(_ name: String, labels: PrometheusLabels, _ number: String) {
        append(name)
        if !labels.bytes.isEmpty {
            append("{")
            bytes.append(contentsOf: labels.bytes)
            append("}")
        }
        append(" \(number)\n")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Returns the shortest decimal that parses to the same number, without the `.0` of integers.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Returns the text escaped as the format requires, with other control characters as U+FFFD, because the format has
    /// no escape for them.
    static func escape(_ text: String, quotes: Bool) -> [UInt8] {
        var escaped: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: #"\\"#.utf8)
            case "\n": escaped.append(contentsOf: #"\n"#.utf8)
            case "\"" where quotes: escaped.append(contentsOf: #"\""#.utf8)
            case _ where scalar.properties.generalCategory == .control: escaped.append(contentsOf: "\u{FFFD}".utf8)
            default: escaped.append(contentsOf: String(scalar).utf8)
            }
        }
        return escaped
    }
}
