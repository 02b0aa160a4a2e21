import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import TestSupport
import TokenIssuance

@testable import ServiceSupport
@testable import TokenService

/// A connection in memory, whose time the test advances, and the parts of requests that arrive on it.
struct ConnectionInMemory {
    let responder = HeldResponder()
    let reads = Reads()
    let writes = Writes()
    let channel = EmbeddedChannel()
    /// The time that responses have, and from which their duration is counted.
    let clock = TestClock()

    init(
        _ policy: ConnectionPolicy = ConnectionPolicy(),
        _ lifecycle: Lifecycle = Lifecycle(),
        from address: String = "192.0.2.1",
        trusting proxies: TrustedProxies = TrustedProxies([])
    ) throws {
        let listener = Listener(
            address: ListenAddress(host: "127.0.0.1", port: 0),
            responder: responder,
            lifecycle: lifecycle,
            clock: clock.service,
            policy: policy,
            trustedProxies: proxies,
            onListening: { _ in }
        )
        let connection = HTTPConnection(listener, from: address, on: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandlers(writes, reads, connection)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    }

    /// Lets time pass.
    func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    /// Lets the responder end its wait.
    func release() {
        responder.release()
        channel.embeddedEventLoop.run()
    }

    /// Receives the head of a request.
    func begin(_ path: String, _ fields: HTTPHeaders = [:]) throws {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["Host": "a"])
        head.headers.add(contentsOf: fields)
        try channel.writeInbound(HTTPServerRequestPart.head(head))
    }

    /// Receives a part of a request's body.
    func receive(_ size: Int) throws {
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 0, count: size)))
    }

    /// Receives the end of a request.
    func end() throws { try channel.writeInbound(HTTPServerRequestPart.end(nil)) }

    /// Receives a whole request.
    func ask(_ path: String, _ fields: HTTPHeaders = [:], body parts: [Int] = []) throws {
        try begin(path, fields)
        for size in parts { try receive(size) }
        try end()
    }

    /// The responses since the last time, as text.
    func responses() throws -> [String] {
        var responses: [String] = []
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { responses.append(String(buffer: bytes)) }
        return responses
    }

    /// The status codes of the responses since the last time.
    func statuses() throws -> [Int] { try responses().compactMap { Int($0.split(separator: " ")[1]) } }

    /// The bodies of the responses since the last time: the paths of their requests.
    func answers() throws -> [String] {
        try responses().compactMap { response in
            response.firstRange(of: "\r\n\r\n").map { String(response[$0.upperBound...]) }
        }
    }
}

/// Responds with the request's path: at once, except for `/wait`, whose response waits for the test or its cancellation.
final class HeldResponder: Responder {
    private struct State {
        var asked: [String] = []
        var addresses: [String] = []
        var starts: [Int64] = []
        var bodies: [Int] = []
        var waiting: CheckedContinuation<Void, Never>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    var asked: [String] { state.withLock { $0.asked } }
    var addresses: [String] { state.withLock { $0.addresses } }
    var starts: [Int64] { state.withLock { $0.starts } }
    var bodies: [Int] { state.withLock { $0.bodies } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func respond(to request: Request) async -> Response {
        if let error = request.error {
            return Response(Refusal.noTokenRequest(error), requestID: "1")
        }
        let path = request.call.head.path ?? ""
        state.withLock { state in
            state.asked.append(path)
            state.addresses.append(request.call.address)
            state.starts.append(request.call.start)
            state.bodies.append(request.body.readableBytes)
        }
        if path == "/wait" {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    state.withLock { $0.waiting = continuation }
                    // The handler may have found nothing, because it was too early.
                    if Task.isCancelled { release() }
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

/// Counts reads.
final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

/// Records `close(mode: .output)`, which `EmbeddedChannel` treats as a full close; can hold writes back.
final class Writes: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    /// Whether the client reads nothing.
    var areKept = false
    private(set) var isOutputClosed = false
    private var kept: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard areKept else { return context.write(data, promise: promise) }
        if let promise { kept.append(promise) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        isOutputClosed = true
        promise?.succeed()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for promise in kept { promise.fail(ChannelError.ioOnClosedChannel) }
    }
}
