import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes

/// Closes an HTTP/2 connection that is idle, old or faulty, or at shutdown.
///
/// While the service drains, the client is told not to open more streams here (GOAWAY without a last stream). Those that
/// were on their way are refused by SwiftNIO: the client repeats them on another connection, which is still accepted. At
/// shutdown, or when the connection is old, open streams are completed and others refused, and the connection closes
/// with the last one.
final class HTTP2ConnectionHandler: ChannelInboundHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let idle: TimeAmount
    /// The maximum age of the connection.
    private let age: TimeAmount
    private let lifecycle: Lifecycle
    private var openStreams = 0
    private var lastStream = HTTP2StreamID.rootStream
    /// The deadline for the next stream to begin, while there is none.
    private var idling: NIODeadline?
    /// When the connection is old.
    private var aging = NIODeadline.distantFuture
    /// Whether the client was told not to open more streams.
    private var isWarned = false
    /// Whether the connection closes after its last stream.
    private var isEnding = false
    /// Whether the client violated a connection rule.
    private var isAtFault = false
    private var context: ChannelHandlerContext?

    init(_ policy: ConnectionPolicy, _ lifecycle: Lifecycle) {
        idle = TimeAmount(policy.idle)
        age = TimeAmount(policy.maximumAge)
        self.lifecycle = lifecycle
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        idling = .now() + idle
        aging = .now() + age
        context.eventLoop.everySecond { [weak self] in self?.tick() ?? false }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { end(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func wroteFrame(_ frame: HTTP2Frame) {
        if case .goAway(_, let code, _) = frame.payload, code != .noError { isAtFault = true }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The faulty or refused stream has been reset; the others continue.
        let isOfStream = error is any NIOHTTP2Error || error is NIOHTTP2Errors.StreamError
        if isAtFault || !isOfStream { context.close(promise: nil) }
    }

    private func streamCreated(_ id: HTTP2StreamID) {
        openStreams += 1
        lastStream = max(lastStream, id)
        idling = nil
    }

    private func streamClosed() {
        openStreams -= 1
        guard openStreams == 0 else { return }
        idling = .now() + idle
        guard isEnding, let context else { return }
        // The stream's last frame is written and not yet flushed.
        context.eventLoop.assumeIsolated().execute { context.close(mode: .output, promise: nil) }
    }

    private func end(_ context: ChannelHandlerContext) {
        isEnding = true
        sendGoAway(after: lastStream, context)
        if openStreams == 0 { context.close(mode: .output, promise: nil) }
    }

    private func sendGoAway(after stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        let frame = HTTP2Frame(
            streamID: .rootStream,
            payload: .goAway(lastStreamID: stream, errorCode: .noError, opaqueData: nil)
        )
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func tick() -> Bool {
        guard let context, context.channel.isActive else { return false }
        let now = NIODeadline.now()
        if let idling, idling <= now {
            end(context)
        } else if aging <= now {
            if !isEnding { end(context) }
        } else if lifecycle.isDraining, !isWarned {
            isWarned = true
            sendGoAway(after: .maxID, context)
        }
        return true
    }
}

extension HTTP2ConnectionHandler {
    /// Counts streams that open and close.
    struct Streams: NIOHTTP2StreamDelegate {
        private let handler: NIOLoopBound<HTTP2ConnectionHandler>

        init(_ handler: HTTP2ConnectionHandler, on eventLoop: any EventLoop) {
            self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
        }

        func streamCreated(_ id: HTTP2StreamID, channel: any Channel) { handler.value.streamCreated(id) }

        func streamClosed(_ id: HTTP2StreamID, channel: any Channel) { handler.value.streamClosed() }
    }
}

/// Splits a response into the parts of an HTTP/2 stream.
final class HTTP2ResponseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Response
    typealias OutboundOut = HTTPResponsePart

    /// The fields of every response.
    private let common: HTTPFields

    init(fields: HTTPFields) {
        common = fields
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let response = unwrapOutboundIn(data)
        var fields = HTTPFields()
        response.forEachField(and: common) { name, value in fields.append(HTTPField(name: name, value: value)) }
        let head = HTTPResponse(status: response.status, headerFields: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !response.body.isEmpty, !response.omitsBody {
            context.write(wrapOutboundOut(.body(ByteBuffer(bytes: response.body))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }
}
