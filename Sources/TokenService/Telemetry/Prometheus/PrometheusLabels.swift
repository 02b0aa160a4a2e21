/// A time series' labels, in the one form that the same labels always take.
struct PrometheusLabels: Hashable {
    /// As they stand between the braces: names in order, values escaped.
    let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads swift-metrics' dimensions.
    ///
    /// Their names are changed to what Prometheus takes. An empty value is left out: to Prometheus it is no label.
    ///
    /// - Returns: nil if two names are the same, if one is Prometheus' own (`le`, `quantile`, `__name__`), or if they
    ///   are longer than labels ever should be.
    init?(_ dimensions: [(String, String)]) {
        var labels: [(name: String, value: [UInt8])] = []
        for (dimension, value) in dimensions where !value.isEmpty {
            guard let name = PrometheusName.sanitize(dimension),
                !name.hasPrefix("__"), !Self.reserved.contains(name),
                !labels.contains(where: { $0.name == name }),
                labels.count < Self.maximumCount, value.utf8.count <= Self.maximumLength
            else { return nil }
            labels.append((name, PrometheusPage.escape(value, quotes: true)))
        }
        labels.sort { $0.name < $1.name }
        bytes = Array(
            labels.map { Array("\($0.name)=\"".utf8) + $0.value + Array("\"".utf8) }.joined(separator: ",".utf8)
        )
    }

    /// These and a bucket's upper bound.
    func adding(bound: Double) -> Self {
        let label = "le=\"\(PrometheusPage.number(bound))\""
        return Self(bytes: bytes.isEmpty ? Array(label.utf8) : bytes + Array(",\(label)".utf8))
    }

    private static let reserved = ["le", "quantile"]
    private static let maximumCount = 16
    private static let maximumLength = 256
}

extension PrometheusLabels: Comparable {
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }
}
