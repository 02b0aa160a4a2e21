import NIOCore
package import NIOSSL
import ServiceSupport
import Synchronization

/// A loopback server that reads a request and answers with whatever bytes a test wants.
///
/// It ends with the test, and only when its clients have closed all connections: a client that leaves one open hangs the
/// test until its time limit.
package struct RawServer {
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

    /// Its port on 127.0.0.1.
    package let port: Int
    private let log: Log

    /// The requests so far, as text.
    package var requests: [String] { log.requests.withLock { $0 } }

    /// Waits until an answer was sent as far as it will be: whole, or a good part of one without end.
    package func waitUntilAnswered() async {
        for await _ in log.answered { break }
    }

    private final class Log: Sendable {
        let requests = Mutex<[String]>([])
        let (answered, answer) = AsyncStream.makeStream(of: Void.self)
    }

    /// Serves while `body` runs.
    package static func run(
        _ behaviour: Behaviour,
        tls: NIOSSLContext? = nil,
        _ body: sending (RawServer) async throws -> Void
    ) async throws {
        let listener = try await LoopbackServer { channel in
            if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
        }
        let log = Log()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await listener.serve { channel, inbound, outbound in
                    try await serve(channel, inbound, outbound, behaviour, log)
                }
            }
            try await body(RawServer(port: listener.port, log: log))
            try await listener.close()
            try await group.waitForAll()
        }
    }

    private static func serve(
        _ channel: any Channel,
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        _ behaviour: Behaviour,
        _ log: Log
    ) async throws {
        var bytes: [UInt8] = []
        var isFirst = true
        for try await buffer in inbound {
            bytes += Array(buffer.readableBytesView)
            guard let request = whole(bytes) else { continue }
            bytes = []
            log.requests.withLock { $0.append(request) }
            if case .answerOnce(_, let reset) = behaviour, !isFirst {
                if reset { try await Self.reset(channel) }
                return
            }
            isFirst = false
            try await answer(with: behaviour, on: channel, outbound, log)
            if behaviour.ends { return }
        }
    }

    private static func answer(
        with behaviour: Behaviour,
        on channel: any Channel,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        _ log: Log
    ) async throws {
        switch behaviour {
        case .silence: break
        case .answer(let text), .answerAndClose(let text), .answerOnce(let text, _):
            try await outbound.write(ByteBuffer(string: text))
        case .answerAndReset(let text):
            try await outbound.write(ByteBuffer(string: text))
            try await reset(channel)
        case .dribble(let text, let more):
            try await outbound.write(ByteBuffer(string: text))
            for count in 1... {
                try await Task.sleep(for: .milliseconds(2))
                try await outbound.write(ByteBuffer(string: more))
                if count == 20 { log.answer.yield() }
            }
        case .flood(let text, let more):
            try await outbound.write(ByteBuffer(string: text))
            while true { try await outbound.write(ByteBuffer(string: more)) }
        }
        log.answer.yield()
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
