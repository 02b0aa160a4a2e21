/// A time series' labels, in the one form that the same labels always take.
package struct PrometheusLabels: Hashable {
    /// The text between the braces: names sorted, values escaped.
    let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates labels.
    ///
    /// - Parameter labels: The distinct, valid Prometheus names, and the values. Empty values are omitted: in
    ///   Prometheus they are equivalent to no label.
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
}

extension PrometheusLabels: Comparable {
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }
}
