package import NIOCore
import NIOPosix

/// A listener on a free port of 127.0.0.1.
///
/// A connection is wrapped for asynchronous use only when it is served. `NIOAsyncChannel` ends the process if a wrapped
/// connection is never served, as one that is accepted while a test ends.
package struct LoopbackServer: Sendable {
    private let listener: NIOAsyncChannel<any Channel, Never>

    /// The listener's port.
    package let port: Int

    /// Creates a listener.
    ///
    /// - Parameter configure: Gives a new connection its handlers.
    /// - Throws: When there is no free port.
    package init(_ configure: @escaping @Sendable (any Channel) throws -> Void = { _ in }) async throws {
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            // Nothing is read before there is a reader.
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try configure(channel)
                    return channel
                }
            }
        port = listener.channel.localAddress?.port ?? 0
    }

    /// Serves connections until the listener is closed or the task is cancelled.
    ///
    /// - Parameter body: Serves one connection; its errors are the client's to see.
    /// - Throws: When the listener fails.
    package func serve<Inbound: Sendable, Outbound: Sendable>(
        _ body:
            @escaping @Sendable (
                any Channel, NIOAsyncChannelInboundStream<Inbound>, NIOAsyncChannelOutboundWriter<Outbound>
            ) async throws -> Void
    ) async throws {
        try await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await channel in connections {
                    group.addTask {
                        let connection = try? await channel.eventLoop.submit {
                            try NIOAsyncChannel<Inbound, Outbound>(wrappingChannelSynchronously: channel)
                        }.get()
                        try? await connection?.executeThenClose { inbound, outbound in
                            try await channel.setOption(.autoRead, value: true).get()
                            try await body(channel, inbound, outbound)
                        }
                    }
                }
            }
        }
    }

    /// Accepts no more connections.
    package func close() async throws { try await listener.channel.close() }
}
