/// Why files are read.
enum ReloadTrigger: Sendable {
    /// Time has passed: the files that the configuration names are read if they have changed.
    case tick
    /// A reload was requested: the configuration is read, and all files that it names.
    case request
}

extension AsyncStream<ReloadTrigger>.Continuation {
    /// Yields a tick, which never takes the place of a request in the buffer.
    func tick() {
        if case .dropped(.request) = yield(.tick) { yield(.request) }
    }
}
