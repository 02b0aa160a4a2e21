import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

extension ConnectionChannel {
    /// Makes a connection speak HTTP/1.1.
    func http1(_ channel: any Channel) throws -> Requests {
        let pipeline = channel.pipeline.syncOperations
        var decoderLimits = NIOHTTPDecoderLimitConfiguration()
        decoderLimits.maxHeaderFieldSize = ConnectionLimits.maximumHeaderSize
        decoderLimits.maxHeaderListSize = ConnectionLimits.maximumHeaderSize
        decoderLimits.maxHeaderFieldCount = ConnectionLimits.maximumHeaderFields
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: decoderLimits
        )
        try pipeline.addHandlers(
            HTTP1ToHTTPServerCodec(secure: certificate != nil),
            DeadlineHandler(limits.configuration),
            DrainHandler(lifecycle),
            ProtocolErrorHandler()
        )
        return try Requests(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }
}
