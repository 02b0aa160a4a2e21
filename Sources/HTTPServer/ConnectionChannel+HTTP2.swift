import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

extension ConnectionChannel {
    /// Adds the handlers of an HTTP/2 connection.
    func configureHTTP2(on channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let peer = Peer(channel)
        let connection = HTTP2ConnectionHandler(limits.policy, lifecycle)
        try pipeline.addHandler(ClosingHandler(limits.policy))
        let streams = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server,
            streamDelegate: HTTP2ConnectionHandler.Streams(connection, on: channel.eventLoop),
            frameDelegate: connection,
            configuration: Self.http2Limits
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let refused = HTTP2Frame.FramePayload.rstStream(.refusedStream)
                try stream.pipeline.syncOperations.addHandlers(
                    ConnectionLimitHandler(limits.streams, refusal: .frame(NIOAny(refused))),
                    HTTP2FramePayloadToHTTPServerCodec(),
                    HTTP2ResponseHandler(),
                    DeadlineHandler(limits.policy),
                    ProtocolErrorHandler(isStream: true, response: errorResponse),
                    RequestHandler(responder, peer, maximumBodySize: limits.bodySize, on: stream.eventLoop)
                )
            }
        }
        try pipeline.addHandler(connection)
        // Each stream has its handlers; this only removes it from the list of new streams, which would grow.
        Task(executorPreference: EventLoopExecutor(channel.eventLoop)) {
            for try await _ in streams.inbound {}
        }
    }

    /// The limits for frames that only attackers send in such numbers; exceeding one closes the connection.
    private static let http2Limits: NIOHTTP2Handler.Configuration = {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: ConnectionLimits.maximumStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: ConnectionLimits.maximumHeaderSize),
        ]
        // Frames that wait for a client which doesn't read.
        configuration.connection.maximumBufferedControlFrames = 500
        // One field block fits into one frame, so a few more than one are generous.
        configuration.connection.maximumSequentialContinuationFrames = 5
        // PING, SETTINGS and PRIORITY.
        configuration.connection.controlFrameRateLimit.maximumCount = 100
        configuration.connection.controlFrameRateLimit.windowLength = .seconds(10)
        // Streams that are opened and reset at once, so that the work is done and the limit on streams never reached.
        configuration.stream.streamResetFrameRateLimit.maximumCount = 100
        configuration.stream.streamResetFrameRateLimit.windowLength = .seconds(10)
        configuration.stream.streamErrorRateLimit.maximumCount = 100
        configuration.stream.streamErrorRateLimit.windowLength = .seconds(10)
        return configuration
    }()
}
