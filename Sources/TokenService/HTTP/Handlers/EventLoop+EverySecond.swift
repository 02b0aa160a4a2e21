import NIOCore

extension EventLoop {
    /// Calls back each second until the callback stops it.
    ///
    /// Timers are never cancelled: an event loop would search all timers of its connections. The callback retains
    /// nothing that has ended, so a remaining timer costs almost nothing.
    ///
    /// - Parameter tick: Returns whether to call again.
    func everySecond(_ tick: @escaping () -> Bool) {
        assumeIsolated().scheduleTask(in: .seconds(1)) {
            if tick() { self.everySecond(tick) }
        }
    }
}
