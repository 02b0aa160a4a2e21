import NIOCore
import NIOPosix
import ServiceConfiguration

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ListenAddress {
    /// Why nobody can listen here now; nil where somebody can.
    package func obstacle() async -> String? {
        do {
            let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port)
                .get()
            try? await channel.close()
            return nil
        } catch {
            return obstacle(error) ?? "Cannot listen on \(self)."
        }
    }

    /// What an attempt to listen here failed with, and what to do; nil where it is another error.
    func obstacle(_ error: any Error) -> String? {
        switch error {
        case let error as IOError: "Cannot listen on \(self): \(Self.hint(error.errnoCode))"
        case is SocketAddressError: "Cannot listen on \(self): no such host. Give an address of this machine."
        default: nil
        }
    }

    private static func hint(_ code: CInt) -> String {
        switch code {
        case EADDRINUSE: "it is in use. Stop the process that has it, or choose another port."
        case EADDRNOTAVAIL: "it is not an address of this machine."
        case EACCES: "permission denied. Ports below 1024 need a privilege; choose a higher one."
        default: "the system refuses it (error \(code))."
        }
    }
}
