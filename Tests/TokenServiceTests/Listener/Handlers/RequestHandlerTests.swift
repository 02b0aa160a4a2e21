import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import TestTools
import Testing

@testable import TokenService

/// A connection's requests, one after the other, whenever their answers come.
@Suite(.watchdog)
struct RequestHandlerTests {
    @Test
    func `Requests that wait behind a response all get theirs, in order`() async throws {
        let connection = Connection()
        try connection.ask("/wait")
        // Far more than one stack would hold, if each answer began the next.
        let paths = (0..<20_000).map { "/\($0)" }
        for path in paths { try connection.ask(path) }
        #expect(try connection.answers() == [])

        connection.responder.release()
        connection.channel.embeddedEventLoop.run()
        #expect(try connection.answers() == ["/wait"] + paths)
    }

    @Test
    func `Nothing is read while requests wait`() throws {
        let connection = Connection()
        try connection.ask("/wait")
        connection.channel.read()
        #expect(connection.reads.count == 1)
        try connection.ask("/1")
        connection.channel.read()
        #expect(connection.reads.count == 1)

        connection.responder.release()
        connection.channel.embeddedEventLoop.run()
        #expect(connection.reads.count == 2)
    }

    @Test
    func `A client that does not read gets no further responses until it does`() throws {
        let connection = Connection()
        try connection.ask("/1")
        connection.channel.isWritable = false
        try connection.ask("/2")
        try connection.ask("/3")
        connection.channel.read()
        #expect(try connection.answers() == ["/1"])
        #expect(connection.reads.count == 0)

        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        #expect(try connection.answers() == ["/2", "/3"])
        #expect(connection.reads.count == 1)
    }

    @Test(
        arguments: ["close", "Close", "x, close", "x,\tclose "]
    )
    func `A request with Connection: close has the last response`(option: String) throws {
        let connection = Connection()
        try connection.ask("/wait")
        try connection.ask("/1", [.connection: option])
        try connection.ask("/2")
        connection.responder.release()
        connection.channel.embeddedEventLoop.run()
        #expect(try connection.answers() == ["/wait", "/1"])
        #expect(!connection.channel.isActive)
    }

    @Test
    func `A connection whose client closed its side ends with the last response`() throws {
        let connection = Connection()
        try connection.ask("/wait")
        try connection.ask("/1")
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(connection.channel.isActive)
        // It may have gone, so what waits for a signature ends its wait; what does not is answered.
        #expect(connection.responder.isCancelled)

        connection.responder.release()
        connection.channel.embeddedEventLoop.run()
        #expect(try connection.answers() == ["/wait", "/1"])
        #expect(!connection.channel.isActive)
    }

    @Test
    func `A request is cancelled when its connection closes`() throws {
        let connection = Connection()
        try connection.ask("/wait")
        try connection.ask("/1")
        try connection.channel.close().wait()
        connection.channel.embeddedEventLoop.run()
        #expect(connection.responder.asked == ["/wait"])
        #expect(connection.responder.isCancelled)
        #expect(try connection.answers() == [])
    }

    @Test(arguments: [0, 1, 16_384, 16_385, 16_386, 100_000])
    func `A body is kept up to one byte more than its limit`(size: Int) throws {
        let connection = Connection()
        try connection.ask("/body", body: Array(repeating: size / 3, count: 3) + [size % 3])
        #expect(connection.responder.bodies == [min(size, 16_385)])
    }

    @Test
    func `A body without an end has one response`() throws {
        let connection = Connection()
        try connection.channel.begin("/1", .post)
        for _ in 0..<100 { try connection.channel.receive(1_000) }
        #expect(try connection.answers() == ["/1"])

        try connection.channel.end()
        try connection.ask("/2")
        #expect(try connection.answers() == ["/2"])
    }
}

/// A connection in memory.
private struct Connection {
    let responder = HeldResponder()
    let reads = Reads()
    let channel: EmbeddedChannel

    init() {
        channel = EmbeddedChannel()
        // Nobody else has the channel, and it is connected without delay: none of this can fail.
        let handler = RequestHandler(responder, Peer(nil), on: EventLoopExecutor(channel.eventLoop))
        try? channel.pipeline.syncOperations.addHandlers(ImmediateClosing(), reads, handler)
        try? channel.connect()
    }

    func ask(_ path: String, _ fields: HTTPFields = [:], body parts: [Int] = []) throws {
        try channel.begin(path, .get, fields)
        for size in parts { try channel.receive(size) }
        try channel.end()
    }

    /// The paths of the requests that were answered since the last time.
    func answers() throws -> [String] {
        var answers: [String] = []
        while let response = try channel.readOutbound(as: Response.self) {
            answers.append(String(decoding: response.body, as: UTF8.self))
        }
        return answers
    }
}

/// Answers with the request's path: at once, except for `/wait`, whose answer waits for the test or its cancellation.
private final class HeldResponder: Responder {
    private struct State {
        var asked: [String] = []
        var bodies: [Int] = []
        var waiting: CheckedContinuation<Void, Never>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    var asked: [String] { state.withLock { $0.asked } }
    var bodies: [Int] { state.withLock { $0.bodies } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func respond(to request: Request) async -> Response {
        let path = request.head.path ?? ""
        state.withLock { state in
            state.asked.append(path)
            state.bodies.append(request.body.readableBytes)
        }
        if path == "/wait" {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    state.withLock { $0.waiting = continuation }
                }
            } onCancel: {
                state.withLock { $0.isCancelled = true }
                release()
            }
        }
        return Response(status: .ok, body: Array(path.utf8))
    }

    func release() {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }?.resume()
    }
}

/// Counts how often bytes are asked for.
private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
