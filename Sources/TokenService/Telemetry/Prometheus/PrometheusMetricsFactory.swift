import CoreMetrics

/// Makes swift-metrics' instruments count in a ``PrometheusRegistry``.
///
/// Names get what Prometheus' conventions ask for: `http.requests` becomes `http_requests_total` as a counter and
/// `http_requests_seconds` as a timer. A `Timer` and an aggregating `Recorder` become histograms, a `Gauge` and a
/// `Meter` gauges. Instruments of the same name and dimensions share their series.
struct PrometheusMetricsFactory: MetricsFactory {
    let registry: PrometheusRegistry

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        counter(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return gauge(label, dimensions) ?? NOOPMetricsHandler.instance }
        let bounds = PrometheusRegistry.numberBounds
        return registry.series(label, dimensions, .histogram) { PrometheusHistogram(bounds: bounds) }
            ?? NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let bounds = PrometheusRegistry.durationBounds
        return registry.series(label, dimensions, .timer) { PrometheusHistogram(seconds: bounds) }
            ?? NOOPMetricsHandler.instance
    }

    // A series stays for the life of the process: Prometheus expects that of a counter, another instrument may share
    // it, and the registry's bound holds anyway.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> PrometheusCounter? {
        registry.series(label, dimensions, .counter) { PrometheusCounter() }
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> PrometheusGauge? {
        registry.series(label, dimensions, .gauge) { PrometheusGauge() }
    }
}
