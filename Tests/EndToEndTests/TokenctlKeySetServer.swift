import NIOCore
import NIOPosix

/// A loopback server that answers everybody with the same bytes, whatever is asked.
enum TokenctlKeySetServer {
    /// What it does after its answer.
    enum End {
        case closes, stalls
    }

    /// Answers with these bytes, head and all, while `body` runs, which gets the port.
    static func run(
        answering answer: String,
        then end: End = .closes,
        _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await server.executeThenClose { connections in
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for try await connection in connections {
                        // A client that gives up is none of the server's business.
                        try? await serve(connection, answer, end)
                    }
                }
                try await body(server.channel.localAddress?.port ?? 0)
                group.cancelAll()
            }
        }
    }

    /// The answer of a server that has no complaints.
    static func ok(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ answer: String, _ end: End)
        async throws
    {
        try await connection.executeThenClose { inbound, outbound in
            var chunks = inbound.makeAsyncIterator()
            var request = ""
            repeat {
                guard let chunk = try await chunks.next() else { return }
                request += String(buffer: chunk)
            } while request.hasPrefix("GET ") && !request.hasSuffix("\r\n\r\n")
            try await outbound.write(ByteBuffer(string: answer))
            while end == .stalls, try await chunks.next() != nil {}
        }
    }
}
