import ServiceSupport

/// Notifies systemd of the service's state, if systemd requested it (sd_notify(3), `Type=notify`).
struct ServiceManager: Sendable {
    private let address: [UInt8]
    /// The watchdog interval that systemd requested; nil for none.
    let watchdogInterval: Duration?

    /// Creates the manager that started this process, or nil if it expects no notifications.
    init?(environment: [String: String]) {
        guard let socket = environment["NOTIFY_SOCKET"], let first = socket.utf8.first,
            socket.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        switch first {
        case UInt8(ascii: "/"): address = Array(socket.utf8)
        // An abstract name, which has no file, begins with a NUL.
        case UInt8(ascii: "@"): address = [0] + socket.utf8.dropFirst()
        default: return nil
        }
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let limit = environment["WATCHDOG_USEC"].flatMap(Int64.init)
        watchdogInterval = limit.flatMap { $0 > 0 && isOurs ? .microseconds($0) / 2 : nil }
    }

    /// Reports that both listeners are bound.
    func ready() { send("READY=1") }

    /// Reports that shutdown has begun.
    func stopping() { send("STOPPING=1") }

    /// Reports that the service responds.
    func alive() { send("WATCHDOG=1") }

    /// Reads files again, and tells systemd when that begins and when it is done (`Type=notify-reload`).
    func reloading<Result>(_ body: () async -> Result) async -> Result {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
        defer { ready() }
        return await body()
    }

    /// Sends a state; a failure is ignored, because the service must continue.
    private func send(_ state: String) {
        #if canImport(Glibc)
        let kind = CInt(SOCK_DGRAM.rawValue)
        #else
        let kind = SOCK_DGRAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        // An abstract name ends with the address, without a trailing NUL.
        let length = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + address.count } ?? 0
        let bytes = Array(state.utf8)
        _ = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT), $0, socklen_t(length))
            }
        }
    }
}
