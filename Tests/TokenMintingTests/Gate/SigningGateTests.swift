import FleetToken
import ServiceSupport
import TestSupport
import TestTools
import Testing

@testable import TokenMinting

@Suite(.watchdog)
struct SigningGateTests {
    private let prometheus = PrometheusMetrics()

    private func gates(_ clock: TestClock = TestClock()) -> SigningGates {
        SigningGates(metrics: prometheus, clock: clock.service)
    }

    private func count(of signer: String, _ result: String) throws -> Double? {
        try MetricsPage(prometheus.page())
            .value("fleet_token_sign_duration_seconds_count", ["signer": signer, "result": result])
    }

    @Test
    func `A thousand signatures are made, and each task gets its own or is cancelled`() async throws {
        let signer = LocalSigner(try Accounts.first(), gates: gates())
        let gate = try #require(signer.gate)
        let (signed, cancelled) = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let payload = Array("{\(number)}".utf8)
                    let task = Task { try await gate.run(for: "a") { try await signer.sign(payload: payload) } }
                    if number % 2 == 1 { task.cancel() }
                    do {
                        let token = try await task.value.token
                        #expect(try signer.signNow(payload: payload).token == token)
                        return true
                    } catch is CancellationError {
                        return false
                    }
                }
            }
            return try await group.reduce(into: (0, 0)) { if $1 { $0.0 += 1 } else { $0.1 += 1 } }
        }
        #expect(signed >= 500 && signed + cancelled == 1000)
        #expect(try count(of: "local", "signed") == Double(signed))
        #expect(try count(of: "local", "failed") == 0)
    }

    @Test
    func `A quiet caller's signature is made next, although a noisy caller's wait`() async throws {
        let gate = gates().gate("local", slots: 1, duration: .microseconds(1))
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (signed, sign) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await gate.run(for: "noisy") {
                    begin.finish()
                    for await _ in opened {}
                }
            }
            for await _ in begun {}
            func add(_ caller: String) {
                group.addTask { try await gate.run(for: caller) { _ = sign.yield(caller) } }
            }
            for _ in 0..<40 { add("noisy") }
            try await until { gate.waiting >= 40 }
            add("quiet")
            try await until { gate.waiting >= 41 }
            open.finish()
            try await group.waitForAll()
        }
        sign.finish()
        let order = await signed.reduce(into: []) { $0.append($1) }
        #expect(try #require(order.firstIndex(of: "quiet")) <= 1)
    }

    @Test
    func `Keys in this process share a gate, and each account at Google has its own`() throws {
        let gates = gates()
        let client = GoogleClient(http: FakeGoogle(clock: TestClock(), caller: nil).http, clock: TestClock().service)
        func iam(_ account: String) -> FairGate? {
            IAMSigner(account: account, credentials: nil, time: .seconds(1), client: client, gates: gates).gate
        }
        let local = LocalSigner(try Accounts.first(), gates: gates).gate
        let other = LocalSigner(try Accounts.second(), gates: gates).gate
        #expect(local != nil && local === other)
        #expect(iam("a") === iam("a") && iam("a") !== iam("b") && iam("a") !== local)
    }

    @Test(arguments: ["a", nil])
    func `A failure is measured, and keeps its reason`(caller: String?) async throws {
        let scene = try Scene()
        scene.google.always(.signJWT) { _ in throw OutgoingError.failed("reset") }
        let signer = scene.signer(gates: gates(scene.clock))
        let minter = Accounts.minter(signer)
        await #expect(throws: IAMError.self) { try await minter.mint(.server, for: caller, now: scene.clock.now) }
        #expect(try count(of: "iam", "failed") == 1)
        let page = try MetricsPage(prometheus.page())
        #expect(page.value("fleet_token_sign_queue_seconds_count", ["signer": "iam"]) == 1)
    }
}
