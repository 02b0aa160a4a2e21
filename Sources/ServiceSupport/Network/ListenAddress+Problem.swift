import NIOCore
import NIOPosix

extension ListenAddress {
    /// Why listening at an address fails.
    package struct Problem: Sendable {
        /// The problem and its solution.
        package let text: String
        /// Whether another process listens there.
        package let isInUse: Bool
    }

    /// Returns why it is not possible to listen on this address now; nil if it is.
    package func problem() async -> Problem? {
        do {
            let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port)
                .get()
            try? await channel.close()
            return nil
        } catch {
            return Problem(
                text: problem(error) ?? "Cannot listen on \(self).",
                isInUse: (error as? IOError)?.errnoCode == EADDRINUSE
            )
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
