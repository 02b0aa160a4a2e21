#if Emulator
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import ServiceLifecycle

/// The listener of the gRPC API, in the clear.
struct GRPCListener: Service {
    let engine: Engine
    let host: String
    let port: Int
    let onListening: @Sendable (String) -> Void

    func run() async throws {
        let address: SocketAddress =
            host.utf8.contains(UInt8(ascii: ":")) ? .ipv6(host: host, port: port) : .ipv4(host: numeric, port: port)
        let server = GRPCServer(
            transport: .http2NIOPosix(address: address, transportSecurity: .plaintext),
            services: [
                TripServiceShell(engine: engine), VehicleServiceShell(engine: engine),
                DeliveryServiceShell(engine: engine),
            ]
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await withGracefulShutdownHandler {
                    try await server.serve()
                } onGracefulShutdown: {
                    server.beginGracefulShutdown()
                }
            }
            let port = try await server.listeningAddress.flatMap { $0.ipv4?.port ?? $0.ipv6?.port }
            onListening("\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port ?? self.port)")
            try await group.waitForAll()
        }
    }

    /// The transport takes numbers only.
    private var numeric: String { host == "localhost" ? "127.0.0.1" : host }
}
#endif
