import ServiceSupport

/// The system's limit on the files and sockets that this process has open.
package enum DescriptorLimit {
    /// The descriptors needed besides connections: listeners, event loops, files, and outgoing requests.
    private static let reserve = 128

    /// Raises the limit for a number of connections, as far as allowed without privileges.
    ///
    /// An eighth more are open for a moment: those that are being closed or refused.
    ///
    /// Shells and service managers often start with 1024, even if a process may raise the limit. The limit must not be
    /// reached: on Linux, libdispatch reads its threads in `/proc` each second, and traps if it cannot open that.
    ///
    /// - Parameters:
    ///   - connections: Callers' connections.
    ///   - outgoing: Connections to others that there may be beside them.
    /// - Returns: The number of callers' connections within the limit.
    package static func raise(forConnections connections: Int, outgoing: Int = 0) -> Int {
        let reserve = Self.reserve + outgoing
        let needed = rlim_t(connections + connections / 8 + reserve)
        var limit = rlimit()
        guard getrlimit(openFileLimit, &limit) == 0, limit.rlim_cur < needed else { return connections }
        let before = limit.rlim_cur
        limit.rlim_cur = min(needed, limit.rlim_max)
        let available = Int(setrlimit(openFileLimit, &limit) == 0 ? limit.rlim_cur : before)
        return max(1, (available - min(reserve, available / 2)) * 8 / 9)
    }
}
