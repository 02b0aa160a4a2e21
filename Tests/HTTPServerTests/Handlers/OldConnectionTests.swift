import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
import Testing

@testable import HTTPServer

@Suite("Connections that have reached their maximum age")
struct OldConnectionTests {
    private static var policy: ConnectionPolicy {
        var policy = ConnectionPolicy()
        policy.maximumAge = .zero
        return policy
    }

    @Test("The next response of an old HTTP/1.1 connection says that it is the last", arguments: [true, false])
    func lastResponse(isOld: Bool) throws {
        let policy = isOld ? Self.policy : ConnectionPolicy()
        let channel = EmbeddedChannel(handler: HTTP1Codec(isSecure: false, fields: [:], Lifecycle(), policy))
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "a"])
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeOutbound(Response(status: .ok, body: []))
        let bytes = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: bytes).contains("\r\nConnection: close\r\n") == isOld)
        #expect(ConnectionPolicy().maximumAge == .seconds(3600))
    }

    @Test("An old HTTP/2 connection accepts no more streams, and closes when those in progress have ended")
    func lastStream() throws {
        let handler = HTTP2ConnectionHandler(Self.policy, Lifecycle())
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        let streams = HTTP2ConnectionHandler.Streams(handler, on: channel.embeddedEventLoop)
        streams.streamCreated(1, channel: channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        let frame = try #require(try channel.readOutbound(as: HTTP2Frame.self))
        guard case .goAway(lastStreamID: 1, errorCode: .noError, opaqueData: nil) = frame.payload else {
            Issue.record("\(frame)")
            return
        }
        #expect(channel.isActive)
        streams.streamClosed(1, channel: channel)
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }
}
