import NIOCore
import NIOPosix
package import ServiceSupport

extension ListenAddress {
    /// Returns why it is not possible to listen on this address now, and whether another process does; nil if it is.
    package func problem() async -> (text: String, isInUse: Bool)? {
        do {
            let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port)
                .get()
            try? await channel.close()
            return nil
        } catch {
            let isInUse = (error as? IOError)?.errnoCode == EADDRINUSE
            return (problem(error) ?? "Cannot listen on \(self).", isInUse)
        }
    }

    /// Returns the reason and the fix for a failed attempt to listen here; nil for other errors.
    package func problem(_ error: any Error) -> String? {
        switch error {
        case let error as IOError: "Cannot listen on \(self): \(Self.hint(error.errnoCode))"
        case is SocketAddressError: "Cannot listen on \(self): no such host. Use an address of this machine."
        default: nil
        }
    }

    private static func hint(_ code: CInt) -> String {
        switch code {
        case EADDRINUSE: "address already in use. Stop the process that uses it, or choose another port."
        case EADDRNOTAVAIL: "not an address of this machine."
        case EACCES: "permission denied. Ports below 1024 require a privilege; choose a higher port."
        default: "the system returned error \(code)."
        }
    }
}
