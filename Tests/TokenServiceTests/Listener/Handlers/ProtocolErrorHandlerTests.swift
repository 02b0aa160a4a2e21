import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import TokenService

/// The response to a faulty request keeps its place among the responses to the requests before it.
struct ProtocolErrorHandlerTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handlers: [
            ImmediateClosing(), ProtocolErrorHandler { _ in Response(status: .requestTimeout) },
        ])
        try channel.connect()
    }

    /// How many requests were begun and ended for the next handler.
    private func received() throws -> (heads: Int, ends: Int) {
        var counts = (heads: 0, ends: 0)
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            switch part {
            case .head: counts.heads += 1
            case .body: break
            case .end: counts.ends += 1
            }
        }
        return counts
    }

    private func statuses() throws -> [Int] {
        var statuses: [Int] = []
        while let response = try channel.readOutbound(as: Response.self) { statuses.append(response.status.code) }
        return statuses
    }

    @Test
    func `A request that arrives too late has one response, after those to earlier requests`() throws {
        try channel.begin("/1")
        try channel.end()
        try channel.begin("/2")
        channel.pipeline.fireErrorCaught(DeadlineHandler.RequestTooSlow())
        // Its rest arrives while the first response is made.
        try channel.end()
        try channel.begin("/3")
        try channel.end()
        #expect(try received() == (2, 1))
        #expect(try statuses() == [])

        channel.writeAndFlush(Response(status: .ok), promise: nil)
        #expect(try statuses() == [200, 408])
        #expect(!channel.isActive)
    }
}
