import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import TokenService

struct OldConnectionTests {
    private static var policy: ConnectionPolicy {
        var policy = ConnectionPolicy()
        policy.maximumAge = .zero
        return policy
    }

    @Test(arguments: [true, false])
    func `The next response of an old connection says that it is the last`(isOld: Bool) throws {
        let policy = isOld ? Self.policy : ConnectionPolicy()
        let channel = EmbeddedChannel(handler: HTTP1Codec(isSecure: false, fields: [:], Lifecycle(), policy))
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "a"])
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeOutbound(Response(status: .ok, body: []))
        let bytes = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: bytes).contains("\r\nConnection: close\r\n") == isOld)
        #expect(ConnectionPolicy().maximumAge == .seconds(3600))
    }
}
