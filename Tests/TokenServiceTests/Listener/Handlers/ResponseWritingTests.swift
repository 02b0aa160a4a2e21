import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import TokenService

/// Responses as they are written.
struct ResponseWritingTests {
    @Test(arguments: [200, 404, 503])
    func `A listener's fields are in every response, whatever its status`(code: Int) throws {
        let (fields, response): (HTTPFields, _) = ([.server: "x"], Response(status: .init(code: code)))

        let codec = HTTP1Codec(isSecure: false, fields: fields, Lifecycle(), ConnectionPolicy())
        let channel = EmbeddedChannel(handler: codec)
        try channel.writeOutbound(response)
        let bytes = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: bytes).contains("\r\nServer: x\r\n"))
    }
}
