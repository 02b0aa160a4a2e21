import NIOCore
import NIOPosix
package import NIOSSL
import ServiceSupport
import Synchronization
import TestTools

/// A server on a free port of 127.0.0.1 that reads a request and answers with whatever bytes a test wants.
///
/// It ends with the test, and only when its clients have closed all connections: a client that leaves one open hangs the
/// test until its time limit.
package final class RawServer: Sendable {
    /// What follows once a request has arrived whole.
    package enum Behaviour: Sendable {
        /// These bytes; then it waits for the next request.
        case answer(String)
        /// These bytes, and the end of the connection.
        case answerAndClose(String)
        /// These bytes, and a reset connection.
        case answerAndReset(String)
        /// These bytes to the first request of a connection, and the end of it, clean or not, when there is a second.
        case answerOnce(String, reset: Bool)
        /// These bytes, and then others every few milliseconds as long as the client listens.
        case dribble(String, then: String)
        /// These bytes, and then others as fast as the client reads.
        case flood(String, then: String)
        /// Nothing.
        case silence

        fileprivate var ends: Bool {
            switch self {
            case .answerAndClose, .answerAndReset: true
            case .answer, .answerOnce, .dribble, .flood, .silence: false
            }
        }
    }

    /// What has happened so far.
    package struct Log: Sendable {
        /// The requests, as text.
        package fileprivate(set) var requests: [String] = []
        /// How many answers were sent as far as they will be: whole, or a good part of one without end.
        fileprivate var answers = 0
        /// How many connections have ended.
        package fileprivate(set) var ended = 0
    }

    private typealias Inbound = NIOAsyncChannelInboundStream<ByteBuffer>
    private typealias Outbound = NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// Its port.
    package let port: Int
    /// Its URL, without TLS.
    package var url: String { "http://127.0.0.1:\(port)/" }
    private let state: Mutex<(behaviour: Behaviour, log: Log)>

    private init(port: Int, _ behaviour: Behaviour) {
        self.port = port
        state = Mutex((behaviour, Log()))
    }

    /// The requests so far, as text.
    package var requests: [String] { state.withLock { $0.log.requests } }

    /// Changes what it does from the next request on.
    package func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

    /// Waits until an answer was sent as far as it will be.
    package func waitUntilAnswered() async throws { try await waitUntil { $0.answers > 0 } }

    /// Waits until what has happened is as it should be.
    package func waitUntil(_ isMet: (Log) -> Bool) async throws {
        try await until { isMet(state.withLock { $0.log }) }
    }

    private func note(_ change: (inout Log) -> Void) { state.withLock { change(&$0.log) } }

    /// Serves while `body` runs.
    package static func run(
        _ behaviour: Behaviour,
        tls: NIOSSLContext? = nil,
        _ body: sending (RawServer) async throws -> Void
    ) async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            // Nothing is read before there is a reader.
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    return channel
                }
            }
        let server = RawServer(port: listener.channel.localAddress?.port ?? 0, behaviour)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.accept(listener) }
            try await body(server)
            try await listener.channel.close()
            try await group.waitForAll()
        }
    }

    private func accept(_ listener: NIOAsyncChannel<any Channel, Never>) async throws {
        try await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await channel in connections {
                    group.addTask {
                        // Only what is served is wrapped: the process ends if a wrapped connection is not served, as one
                        // that is accepted while a test ends.
                        let connection = try? await channel.eventLoop.submit {
                            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                        }.get()
                        // Its errors are the client's to see.
                        try? await connection?.executeThenClose { inbound, outbound in
                            try await channel.setOption(.autoRead, value: true).get()
                            try await self.serve(channel, inbound: inbound, outbound: outbound)
                        }
                        self.note { $0.ended += 1 }
                    }
                }
            }
        }
    }

    private func serve(_ channel: any Channel, inbound: Inbound, outbound: Outbound) async throws {
        var bytes: [UInt8] = []
        var isFirst = true
        for try await buffer in inbound {
            bytes += Array(buffer.readableBytesView)
            guard let request = Self.whole(bytes) else { continue }
            bytes = []
            note { $0.requests.append(request) }
            let behaviour = state.withLock { $0.behaviour }
            if case .answerOnce(_, let reset) = behaviour, !isFirst {
                if reset { try await Self.reset(channel) }
                return
            }
            isFirst = false
            try await answer(with: behaviour, on: channel, outbound)
            if behaviour.ends { return }
        }
    }

    private func answer(with behaviour: Behaviour, on channel: any Channel, _ outbound: Outbound) async throws {
        switch behaviour {
        case .silence: break
        case .answer(let text), .answerAndClose(let text), .answerOnce(let text, _):
            try await outbound.write(ByteBuffer(string: text))
        case .answerAndReset(let text):
            try await outbound.write(ByteBuffer(string: text))
            try await Self.reset(channel)
        case .dribble(let text, let more):
            try await outbound.write(ByteBuffer(string: text))
            for count in 1... {
                try await Task.sleep(for: .milliseconds(2))
                try await outbound.write(ByteBuffer(string: more))
                if count == 20 { note { $0.answers += 1 } }
            }
        case .flood(let text, let more):
            try await outbound.write(ByteBuffer(string: text))
            while true { try await outbound.write(ByteBuffer(string: more)) }
        }
        note { $0.answers += 1 }
    }

    /// Lets the end of a connection be a reset.
    private static func reset(_ channel: any Channel) async throws {
        let options = channel as? any SocketOptionProvider
        try await options?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }

    /// The request, once its body has as many bytes as it says; without a length it has none.
    private static func whole(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let length = text.lowercased().firstMatch(of: /\r\ncontent-length: *([0-9]+)\r\n/).flatMap { Int($0.1) }
        return text[end.upperBound...].utf8.count >= length ?? 0 ? text : nil
    }
}
