import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import TokenService

/// How long requests, their responses and idle connections may take, by the clock of an event loop that tests advance.
struct ConnectionDeadlineTests {
    private let connection: ConnectionInMemory

    init() throws {
        var policy = ConnectionPolicy()
        policy.request = .seconds(10)
        policy.idle = .seconds(30)
        connection = try ConnectionInMemory(policy)
    }

    private var isOpen: Bool { connection.channel.isActive && !connection.writes.isOutputClosed }

    /// Ends the wait of the first request, and leaves the next one waiting.
    private func respond() throws {
        connection.release()
        #expect(try connection.statuses() == [200])
    }

    @Test
    func `A connection without a request is late after the time to receive one`() throws {
        connection.pass(9)
        #expect(try connection.statuses() == [])
        connection.pass(1)
        #expect(try connection.statuses() == [408])
    }

    @Test
    func `A first request is late when its last byte is, counted from the connection's start`() throws {
        connection.pass(5)
        try connection.begin("/1")
        connection.pass(4)
        try connection.receive(1)
        #expect(try connection.statuses() == [] && isOpen)
        connection.pass(1)
        #expect(try connection.statuses() == [408])
        connection.pass(1)
        #expect(try connection.statuses() == [], "once")
    }

    @Test
    func `The time of a request behind others starts with the last response to them`() throws {
        for path in ["/wait", "/wait"] { try connection.ask(path) }
        try connection.begin("/3")
        for _ in 0..<2 {
            connection.pass(9)
            #expect(isOpen)
            try respond()
        }
        connection.pass(9)
        #expect(try connection.statuses() == [] && isOpen)
        connection.pass(1)
        #expect(try connection.statuses() == [408])
    }

    @Test
    func `A later request's head has the time of an idle connection, and its rest the time to receive it`() throws {
        try connection.ask("/1")
        #expect(try connection.statuses() == [200])
        connection.pass(29)
        #expect(isOpen)
        try connection.begin("/2")
        connection.pass(9)
        #expect(try connection.statuses() == [] && isOpen)
        connection.pass(1)
        #expect(try connection.statuses() == [408])
    }

    @Test
    func `A response before the body ends does not extend the body's deadline`() throws {
        try connection.begin("/1")
        connection.pass(5)
        try connection.receive(16_385)
        #expect(try connection.statuses() == [200])
        connection.pass(4)
        #expect(isOpen)
        connection.pass(1)
        #expect(try connection.statuses() == [] && !isOpen)
    }

    @Test
    func `An idle connection is closed, and that is no error`() throws {
        try connection.ask("/1")
        #expect(try connection.statuses() == [200])
        connection.pass(29)
        #expect(isOpen)
        connection.pass(1)
        #expect(try connection.statuses() == [] && !connection.channel.isActive)
    }

    @Test
    func `Each response has the whole time from the previous one, and a connection whose response is late is closed`()
        throws
    {
        for path in ["/wait", "/wait"] { try connection.ask(path) }
        connection.pass(9)
        try respond()
        connection.pass(9)
        // A further request gives the one before it no more time.
        try connection.ask("/2")
        #expect(isOpen)
        connection.pass(1)
        #expect(try connection.statuses() == [] && !connection.channel.isActive)
    }

    @Test(arguments: [false, true])
    func `A client that does not read, or never closes its side, is disconnected; what it sends meanwhile is not read`(
        isUnread: Bool
    ) throws {
        connection.writes.areKept = isUnread
        try connection.ask("/1", ["Connection": "close"])
        #expect(connection.writes.isOutputClosed != isUnread)
        connection.channel.read()
        #expect(connection.reads.count == 0)
        try connection.ask("/2")
        #expect(connection.responder.asked == ["/1"])
        connection.pass(isUnread ? 29 : 1)
        #expect(connection.channel.isActive)
        connection.pass(1)
        #expect(!connection.channel.isActive)
    }
}
