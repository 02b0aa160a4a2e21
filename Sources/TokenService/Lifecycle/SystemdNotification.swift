import ServiceSupport

/// Notifies systemd of the service's state, if systemd requested it (sd_notify(3), `Type=notify`).
enum SystemdNotification {
    /// Reports that the service is ready; a failure is ignored, because the service must continue.
    static func ready(environment: [String: String]) {
        var name = sockaddr_un()
        guard let path = environment["NOTIFY_SOCKET"].map({ Array($0.utf8) }),
            path.count < MemoryLayout.size(ofValue: name.sun_path),
            let start = MemoryLayout.offset(of: \sockaddr_un.sun_path)
        else { return }
        let descriptor = socket(AF_UNIX, datagrams, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
        // An abstract socket, whose name begins with NUL and ends with the address.
        if path.first == UInt8(ascii: "@") { name.sun_path.0 = 0 }
        let message = Array("READY=1".utf8)
        _ = withUnsafeBytes(of: &name) { address in
            sendto(
                descriptor,
                message,
                message.count,
                CInt(MSG_DONTWAIT),
                address.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(start + path.count)
            )
        }
    }

    #if canImport(Glibc)
    private static let datagrams = CInt(SOCK_DGRAM.rawValue)
    #else
    private static let datagrams = SOCK_DGRAM
    #endif
}
