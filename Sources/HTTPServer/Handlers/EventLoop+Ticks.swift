import NIOCore

extension EventLoop {
    /// Calls back each second until it is told to stop.
    ///
    /// No timer is ever cancelled: an event loop finds the one to cancel by going through those of all its connections.
    /// What is called holds nothing alive that has ended, so a timer left behind costs next to nothing.
    ///
    /// - Parameter tick: Returns whether it wants to be called again.
    func everySecond(_ tick: @escaping () -> Bool) {
        assumeIsolated().scheduleTask(in: .seconds(1)) {
            if tick() { self.everySecond(tick) }
        }
    }
}
