#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How many files and sockets the system lets this process have open.
enum DescriptorLimit {
    /// What the service needs besides connections: listeners, event loops, files, and its own requests to others.
    static let reserve = 256

    /// Raises the limit to what so many connections need, as far as that is allowed without a privilege.
    ///
    /// Shells and service managers often start with 1024, whatever a process could ask for.
    ///
    /// - Returns: Whether they all have a place.
    static func raise(forConnections connections: Int) -> Bool {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        let needed = rlim_t(connections + reserve)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return false }
        guard limit.rlim_cur < needed else { return true }
        limit.rlim_cur = min(needed, limit.rlim_max)
        return setrlimit(resource, &limit) == 0 && limit.rlim_cur == needed
    }
}
