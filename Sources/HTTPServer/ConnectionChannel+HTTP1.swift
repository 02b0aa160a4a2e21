import NIOCore
import NIOHTTP1

extension ConnectionChannel {
    /// Adds the handlers of an HTTP/1.1 connection.
    func configureHTTP1(on channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        var decoderLimits = NIOHTTPDecoderLimitConfiguration()
        decoderLimits.maxHeaderFieldSize = ConnectionLimits.maximumHeaderSize
        decoderLimits.maxHeaderListSize = ConnectionLimits.maximumHeaderSize
        decoderLimits.maxHeaderFieldCount = ConnectionLimits.maximumHeaderFields
        try pipeline.addHandlers(
            ClosingHandler(limits.policy),
            ReceiptHandler(),
            ByteToMessageHandler(
                HTTPRequestDecoder(limitConfiguration: decoderLimits),
                maximumBufferSize: ConnectionLimits.maximumUnparsedSize
            ),
            HTTP1Codec(isSecure: certificate != nil),
            DeadlineHandler(limits.policy),
            DrainHandler(lifecycle, limits.policy),
            ProtocolErrorHandler(response: errorResponse),
            RequestHandler(responder, Peer(channel), maximumBodySize: limits.bodySize, on: channel.eventLoop)
        )
    }
}
