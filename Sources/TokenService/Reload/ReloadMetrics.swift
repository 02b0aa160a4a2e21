import Metrics

/// Metrics of reloads of the configuration and its files.
struct ReloadMetrics {
    private let loaded: Counter
    private let failed: Counter
    private let isSuccessful: Meter

    init(factory: any MetricsFactory) {
        let name = "fleet_token_config_reload_total"
        loaded = Counter(label: name, dimensions: [("result", "loaded")], factory: factory)
        failed = Counter(label: name, dimensions: [("result", "failed")], factory: factory)
        isSuccessful = Meter(label: "fleet_token_config_last_reload_successful", factory: factory)
    }

    /// The first configuration was loaded.
    func started() { isSuccessful.set(1) }

    /// A new configuration serves.
    func succeeded() {
        loaded.increment()
        isSuccessful.set(1)
    }

    /// The last good configuration keeps serving.
    func hasFailed() {
        failed.increment()
        isSuccessful.set(0)
    }
}
