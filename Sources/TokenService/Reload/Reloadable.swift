/// What a ``Reloader`` reloads.
protocol Reloadable: Sendable {
    /// Returns files as they are now.
    func snapshot(of paths: some Sequence<String>) -> FileSnapshot

    /// Loads what is to be read again and puts it in use, or reports the problems.
    func reload(_ trigger: ReloadTrigger) async -> ReloadOutcome

    /// Updates the metrics of what is in use, which also depend on the time.
    func showState()
}
