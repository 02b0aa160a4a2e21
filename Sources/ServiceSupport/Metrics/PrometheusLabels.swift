/// A time series' labels, in the one form that the same labels always take.
struct PrometheusLabels: Hashable, Comparable {
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

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }
}
