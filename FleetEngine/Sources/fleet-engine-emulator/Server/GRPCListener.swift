import GRPCCore
import GRPCNIOTransportHTTP2Posix
import ServiceLifecycle

/// The listener of the gRPC API, unencrypted.
struct GRPCListener: Service {
    let engine: Engine
    let address: ListenAddress
    let onListening: @Sendable (String) -> Void

    func run() async throws {
        let server = GRPCServer(
            transport: .http2NIOPosix(address: socketAddress, transportSecurity: .plaintext),
            router: Route.router(for: engine)
        )
        do {
            try await run(server)
        } catch {
            throw address.failure(error, name: "gRPC API", option: "--grpc-port")
        }
    }

    private func run(_ server: GRPCServer<HTTP2ServerTransport.Posix>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await withGracefulShutdownHandler {
                    try await server.serve()
                } onGracefulShutdown: {
                    server.beginGracefulShutdown()
                }
            }
            // The server says why it cannot listen; this says only that it does not.
            if let bound = try? await server.listeningAddress {
                onListening(address.bound(to: bound.ipv4?.port ?? bound.ipv6?.port))
            }
            try await group.waitForAll()
        }
    }

    /// The transport takes numbers only.
    private var socketAddress: SocketAddress {
        let host = address.host == "localhost" ? "127.0.0.1" : address.host
        return host.utf8.contains(UInt8(ascii: ":"))
            ? .ipv6(host: host, port: address.port) : .ipv4(host: host, port: address.port)
    }
}
