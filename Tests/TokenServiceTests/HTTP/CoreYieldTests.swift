import FleetToken
import NIOEmbedded
import Synchronization
import Telemetry
import Testing

@testable import HTTPServer
@testable import TokenIssuance
@testable import TokenService

struct CoreYieldTests {
    @Test func yieldsOnceForAllThatArrived() {
        let yields = Mutex(0)
        let core = CoreYield { yields.withLock { $0 += 1 } }
        let eventLoop = EmbeddedEventLoop()
        for _ in 0..<3 { core.schedule(on: eventLoop) }
        #expect(yields.withLock { $0 } == 0)
        eventLoop.run()
        #expect(yields.withLock { $0 } == 1)
        core.schedule(on: eventLoop)
        eventLoop.run()
        #expect(yields.withLock { $0 } == 2)
    }

    /// Other refusals, such as those while the audit trail cannot be written, are no reason to slow down others.
    @Test(arguments: [TokenError.Reason.overloaded, .auditUnavailable, .signerUnavailable, .rateLimited])
    func onlyOverloadYields(reason: TokenError.Reason) {
        let response = Response(Refusal(TokenError(reason, "Retry later.")), requestID: RequestID())
        #expect(response.isBecauseOfOverload == (reason == .overloaded))
    }
}
