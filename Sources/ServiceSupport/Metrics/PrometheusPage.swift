/// Writes Prometheus's text exposition format 0.0.4.
package struct PrometheusPage {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []

    /// Writes a metric's help and type.
    mutating func header(_ name: String, help: String, type: String) {
        append("# HELP \(name) ")
        bytes.append(contentsOf: Self.escape(help, quotes: false))
        append("\n# TYPE \(name) \(type)\n")
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

/// A time series' labels, in the one form that the same labels always take.
package struct PrometheusLabels: Hashable, Comparable {
    /// The text between the braces: names sorted, values escaped.
    let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates labels with distinct, valid names; empty values are omitted, which in Prometheus are equivalent to no label.
    init(_ labels: [(name: String, value: String)]) {
        let pairs = labels.filter { !$0.value.isEmpty }.sorted { $0.name < $1.name }.map { name, value in
            Array("\(name)=\"".utf8) + PrometheusPage.escape(value, quotes: true) + Array("\"".utf8)
        }
        bytes = Array(pairs.joined(separator: ",".utf8))
    }

    /// These and a bucket's upper bound.
    func adding(bound: Double) -> Self {
        let label = "le=\"\(PrometheusPage.number(bound))\""
        return Self(bytes: bytes.isEmpty ? Array(label.utf8) : bytes + Array(",\(label)".utf8))
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }
}
