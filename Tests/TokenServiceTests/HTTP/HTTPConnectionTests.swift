import FleetToken
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import ServiceSupport
import TestSupport
import TestTools
import Testing

@testable import TokenService

/// A connection's requests, one after the other, whenever their answers come.
@Suite(.watchdog)
struct HTTPConnectionTests {
    @Test
    func `Requests that wait behind a response all get theirs, in order`() async throws {
        let connection = try ConnectionInMemory()
        try connection.ask("/wait")
        // Far more than one stack would hold, if each answer began the next.
        let paths = (0..<20_000).map { "/\($0)" }
        for path in paths { try connection.ask(path) }
        #expect(try connection.answers() == [])

        connection.release()
        #expect(try connection.answers() == ["/wait"] + paths)
    }

    @Test
    func `Nothing is read while requests wait`() throws {
        let connection = try ConnectionInMemory()
        try connection.ask("/wait")
        connection.channel.read()
        #expect(connection.reads.count == 1)
        try connection.ask("/1")
        connection.channel.read()
        #expect(connection.reads.count == 1)

        connection.release()
        #expect(connection.reads.count == 2)
    }

    @Test
    func `A client that does not read gets no further responses until it does`() throws {
        let connection = try ConnectionInMemory()
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
        let connection = try ConnectionInMemory()
        try connection.ask("/wait")
        try connection.ask("/1", ["Connection": option])
        try connection.ask("/2")
        connection.release()
        #expect(try connection.answers() == ["/wait", "/1"])
        #expect(connection.writes.isOutputClosed)
    }

    @Test
    func `A connection whose client closed its side ends with the last response`() throws {
        let connection = try ConnectionInMemory()
        try connection.ask("/wait")
        try connection.ask("/1")
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(connection.channel.isActive)
        // It may have gone, so what waits for a signature ends its wait; what does not is answered.
        #expect(connection.responder.isCancelled)

        connection.release()
        #expect(try connection.answers() == ["/wait", "/1"])
        #expect(!connection.channel.isActive)
    }

    @Test
    func `A request is cancelled when its connection closes`() throws {
        let connection = try ConnectionInMemory()
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
        let connection = try ConnectionInMemory()
        try connection.ask("/body", body: Array(repeating: size / 3, count: 3) + [size % 3])
        #expect(connection.responder.bodies == [min(size, 16_385)])
    }

    @Test
    func `A body without an end has one response`() throws {
        let connection = try ConnectionInMemory()
        try connection.begin("/1")
        for _ in 0..<100 { try connection.receive(1_000) }
        #expect(try connection.answers() == ["/1"])

        try connection.end()
        try connection.ask("/2")
        #expect(try connection.answers() == ["/2"])
    }

    @Test
    func `A client that waits with its body is told to go on, unless another response would come in between`() throws {
        let connection = try ConnectionInMemory()
        try connection.begin("/1", ["Expect": "100-continue"])
        #expect(try connection.statuses() == [100])
        try connection.end()
        try connection.ask("/wait")
        try connection.begin("/2", ["Expect": "100-continue"])
        #expect(try connection.statuses() == [200])
        connection.release()
        try connection.end()
        #expect(try connection.statuses() == [200, 200])
    }

    @Test
    func `The time of a request counts from its head`() throws {
        let connection = try ConnectionInMemory()
        let start = connection.clock.service.monotonic
        try connection.begin("/1")
        connection.clock.advance(by: 9)
        try connection.end()
        #expect(connection.responder.starts == [start])
    }

    @Test
    func `A request that is refused on its way has one response, after those to earlier requests`() throws {
        let connection = try ConnectionInMemory()
        try connection.ask("/wait")
        try connection.begin("/2")
        connection.channel.pipeline.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        // Its rest arrives while the first response is made.
        try connection.end()
        try connection.ask("/3")
        #expect(connection.responder.asked == ["/wait"])
        #expect(try connection.statuses() == [])

        connection.release()
        #expect(try connection.statuses() == [200, 400])
        #expect(connection.writes.isOutputClosed)
    }

    @Test(arguments: [true, false])
    func `The next response of an old connection says that it is the last`(isOld: Bool) throws {
        var policy = ConnectionPolicy()
        #expect(policy.maximumAge == .seconds(3600))
        if isOld { policy.maximumAge = .zero }
        let connection = try ConnectionInMemory(policy)
        try connection.ask("/1")
        #expect(try connection.responses().map { $0.contains("\r\nConnection: close\r\n") } == [isOld])
        #expect(connection.writes.isOutputClosed == isOld)
    }

    @Test
    func `At shutdown an idle connection closes, a new one in a second, and another after its response`() throws {
        let connections = try (0..<3).map { _ in try ConnectionInMemory() }
        try connections[1].ask("/1")
        try connections[2].begin("/2")
        for connection in connections {
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
        #expect(connections.map(\.channel.isActive) == [true, false, true])
        connections[0].pass(1)
        #expect(!connections[0].channel.isActive)
        #expect(try connections[0].statuses() == [], "it has asked for nothing")
        try connections[2].end()
        #expect(try connections[2].responses().map { $0.contains("\r\nConnection: close\r\n") } == [true])
        #expect(!connections[2].channel.isActive)
    }

    @Test(arguments: [200, 404, 503])
    func `No response may be stored or be taken for another type, whatever its status`(code: Int) {
        var buffer = ByteBuffer()
        Response(status: .init(code: code)).write(to: &buffer, at: NumericDate(seconds: 0))
        let head = String(buffer: buffer)
        #expect(head.contains("\r\nCache-Control: no-store\r\n"))
        #expect(head.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
    }
}
