/// The metrics of a registry, within its bounds.
struct PrometheusFamilies {
    private(set) var byName: [String: PrometheusFamily] = [:]
    private var takenNames: Set<String> = []
    /// How many time series the metrics that nobody declared may still get.
    private var room: Int

    init(maximumSeries: Int) {
        room = maximumSeries
    }

    /// Adds a metric; false if one of its names is taken.
    mutating func add(_ name: String, _ family: PrometheusFamily) -> Bool {
        let names = family.kind.names(of: name)
        guard takenNames.isDisjoint(with: names) else { return false }
        takenNames.formUnion(names)
        byName[name] = family
        return true
    }

    /// The series with these labels, made if it is new and there is room for it.
    mutating func series<Series: PrometheusSeries>(
        _ name: String,
        _ labels: PrometheusLabels,
        _ kind: PrometheusKind,
        help: @autoclosure () -> String,
        make: () -> Series
    ) throws(PrometheusDrop) -> Series {
        let isKnown = byName[name] != nil
        if isKnown, byName[name]?.kind != kind { throw .conflict }
        if let series = byName[name]?.series[labels] as? Series { return series }

        let series = make()
        if let capacity = byName[name]?.capacity {
            guard byName[name]?.series.count ?? 0 < capacity else { throw .limit }
        } else {
            guard series.sampleCount <= room else { throw .limit }
            guard isKnown || add(name, PrometheusFamily(kind, help: help(), capacity: nil)) else { throw .conflict }
            room -= series.sampleCount
        }
        byName[name]?.insert(series, labels)
        return series
    }

    /// Puts other series in place of all that a declared metric has; those over its capacity are not kept.
    mutating func replace(_ name: String, _ series: [PrometheusLabels: PrometheusGauge]) {
        guard byName[name]?.kind == .gauge, let capacity = byName[name]?.capacity else { return }
        byName[name]?.removeAll()
        for (labels, gauge) in series.sorted(by: { $0.key < $1.key }).prefix(capacity) {
            byName[name]?.insert(gauge, labels)
        }
    }
}
