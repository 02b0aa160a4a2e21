import NIOCore

/// Listening sockets that the service manager opened, and keeps open across restarts (sd_listen_fds(3)).
///
/// Clients that connect while no process accepts connections wait in the socket's queue instead of being refused.
package struct PassedSockets: Sendable {
    /// The descriptor of the first.
    private static let first: CInt = 3

    /// The length of a socket's queue; the system reduces it to its maximum.
    private static let backlog: CInt = 4096

    private let descriptors: [ListenAddress: CInt]

    /// Reads which sockets were passed to this process.
    ///
    /// - Parameter environment: The process's environment variables.
    /// - Throws: ``ConfigurationError`` if one is no listening TCP socket.
    package init(environment: [String: String]) throws(ConfigurationError) {
        // The variables may have been for the process that started this one.
        guard environment["LISTEN_PID"] == String(getpid()), let count = environment["LISTEN_FDS"].flatMap(CInt.init),
            count > 0, count < 128
        else {
            descriptors = [:]
            return
        }
        var descriptors: [ListenAddress: CInt] = [:]
        for descriptor in Self.first..<Self.first + count {
            guard let address = Self.address(of: descriptor), listen(descriptor, Self.backlog) == 0 else {
                throw ConfigurationError(
                    "The service manager passed a descriptor that is no TCP socket. Use ListenStream=HOST:PORT."
                )
            }
            // Processes that this one starts must not keep it open.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            descriptors[address] = descriptor
        }
        self.descriptors = descriptors
    }

    /// Requires that each socket is for one of the configured addresses, for which the configuration was checked.
    ///
    /// - Throws: ``ConfigurationError`` if one is not.
    package func require(_ addresses: [ListenAddress]) throws(ConfigurationError) {
        let known = Set(addresses.map(Self.numeric))
        guard let other = descriptors.keys.first(where: { !known.contains($0) }) else { return }
        throw ConfigurationError(
            "The service manager passed a socket for \(other), and the configuration has \(addresses.map(\.description).joined(separator: " and ")). Make ListenStream= and service.listen equal."
        )
    }

    /// Returns the socket for an address, if one was passed.
    package func descriptor(for address: ListenAddress) -> CInt? { descriptors[Self.numeric(address)] }

    /// Returns an address as a socket has it.
    private static func numeric(_ address: ListenAddress) -> ListenAddress {
        guard let resolved = try? SocketAddress.makeAddressResolvingHost(address.host, port: address.port),
            let host = resolved.ipAddress
        else { return address }
        return ListenAddress(host: host, port: address.port)
    }

    private static func address(of descriptor: CInt) -> ListenAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            guard let pointer, getsockname(descriptor, pointer, &length) == 0 else { return nil }
            let address: SocketAddress? =
                switch CInt(pointer.pointee.sa_family) {
                case AF_INET: SocketAddress(bytes.load(as: sockaddr_in.self))
                case AF_INET6: SocketAddress(bytes.load(as: sockaddr_in6.self))
                default: nil
                }
            guard let host = address?.ipAddress, let port = address?.port else { return nil }
            return ListenAddress(host: host, port: port)
        }
    }
}
