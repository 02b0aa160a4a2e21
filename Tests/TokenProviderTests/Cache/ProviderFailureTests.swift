import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// The errors of calls, and the pauses after them.
@Suite(.watchdog)
struct ProviderFailureTests {
    private let clock = ManualClock()
    private let script = ScriptedTokens()
    private let log = FetchLog()
    private let provider: FleetTokenProvider

    init() {
        provider = FleetTokenProvider(clock: clock, onFetch: log.onFetch, fetch: script.fetch)
    }

    @Test(arguments: TokenProviderError.Code.all)
    func `A provider works again after each kind of failure`(code: TokenProviderError.Code) async throws {
        // A 401 is the server's; without a status, no user is signed in, and nothing pauses.
        let status = code == .unauthenticated ? 401 : nil
        var failure = TokenProviderError(code, "Do something.", httpStatus: status)
        (failure.serverReason, failure.requestID) = ("REASON", "abc123")
        script.fail(failure)
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(error?.code == code)
        #expect(error?.message == "Do something.")
        #expect(error?.serverReason == "REASON")
        #expect(error?.requestID == "abc123")
        script.succeed()
        // Within the pause nothing is fetched, however many call.
        for _ in 0..<100 { _ = try? await provider.token(for: .server) }
        #expect(script.requests.count == 1)
        let pause = try #require(error?.retryAfter)
        #expect((failure.remedy == .wait ? 0.2...1 : 30...31).contains(pause))
        clock.advance(by: pause)
        #expect(try await provider.token(for: .server).text == "token 2")
    }

    @Test
    func `An error of another type is transient, and none of its text is shown`() async throws {
        struct Foreign: Error { let text = "SECRET" }
        let errors: [any Error] = [
            Foreign(), CancellationError(), URLError(.notConnectedToInternet), URLError(.cancelled),
        ]
        for error in errors {
            script.fail(error)
            let seen = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
            #expect(seen?.code == ((error as? URLError)?.code == .notConnectedToInternet ? .offline : .unavailable))
            #expect(seen?.remedy == .wait)
            #expect(seen.map { String(reflecting: $0).contains("SECRET") } == false)
            clock.advance(by: 31)
        }
        #expect(script.requests.count == errors.count)
    }

    @Test(arguments: [0, 3])
    func `A scope that is always limited does not starve a hundred others`(others: Int) async throws {
        let limited = Set((0...others).map { TokenScope.trip("limited-\($0)") })
        script.answer { request, number in
            guard limited.contains(request.scope) else { return Token("token \(number)", lifetime: 3540) }
            throw TokenProviderError(.resourceExhausted, "Slow down.", retryAfter: 1, httpStatus: 429)
        }
        let healthy = (1...100).map { TokenScope.trip("trip-\($0)") }
        var served: Set<TokenScope> = []
        // Each scope's own pause is longer than the server's, and grows: the others soon have their turn.
        for _ in 0..<30 where served.count < healthy.count {
            for scope in limited { _ = try? await provider.token(for: scope) }
            for scope in healthy where !served.contains(scope) {
                if (try? await provider.token(for: scope)) != nil { served.insert(scope) }
            }
            // The second that the server asks for, and the random tenth.
            clock.advance(by: 1.1)
        }
        #expect(served.count == healthy.count)
        #expect(script.requests.count < healthy.count + 6 * limited.count)
    }

    @Test
    func `Connections that are refused at the same time pause only their own scopes, and briefly`() async throws {
        let refused = (1...16).map { TokenScope.vehicle("vehicle-\($0)") }
        script.answer { [script] _, _ in
            try await until { script.requests.count >= refused.count }
            throw URLError(.cannotConnectToHost)
        }
        await withTaskGroup { group in
            for scope in refused {
                group.addTask { [provider] in
                    let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: scope) }
                    #expect(error?.retryAfter ?? 31 <= 0.5)
                }
            }
        }
        script.succeed()
        _ = try await provider.token(for: .server)
        #expect(script.requests.count == refused.count + 1)
    }

    @Test
    func `An untrusted certificate pauses its scope for half a second at most, however often`() async {
        script.fail(URLError(.serverCertificateUntrusted))
        for _ in 0..<12 {
            let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
            #expect(error?.retryAfter ?? 31 <= 0.5)
            clock.advance(by: 0.5)
        }
        #expect(script.requests.count == 12)
    }

    @Test(arguments: [
        URLError.Code.notConnectedToInternet, .cannotFindHost, .networkConnectionLost, .cannotConnectToHost,
    ])
    func `retryNow ends the pauses that the device caused`(code: URLError.Code) async throws {
        script.fail(URLError(code))
        for _ in 0..<10 {
            _ = try? await provider.token(for: .server)
            clock.advance(by: 30)
        }
        _ = try? await provider.token(for: .server)
        script.succeed()
        provider.retryNow()
        _ = try await provider.token(for: .server)
    }

    @Test func `Failures before retryNow() lengthen no later pause`() async throws {
        script.fail(URLError(.networkConnectionLost))
        for _ in 0..<10 {
            _ = try? await provider.token(for: .server)
            clock.advance(by: 30)
        }
        provider.retryNow()
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        #expect(error?.retryAfter ?? 31 <= 0.5)
    }

    /// A fetch over a connection that is gone may take its whole time limit.
    @Test(arguments: [(0.9, 1), (1, 2)])
    func `retryNow() starts a running fetch again once, unless it has just begun`(
        age: TimeInterval,
        fetches: Int
    ) async throws {
        let held = Latch()
        script.answer { _, number in
            if number == 1 { await held.wait() }
            return Token("token \(number)", lifetime: 3540)
        }
        let call = Task { try await provider.token(for: .server) }
        try await script.waitForRequests(1)
        clock.advance(by: age)
        provider.retryNow()
        if fetches == 1 { held.open() }
        #expect(try await call.value.text == "token \(fetches)")
        held.open()
        #expect(script.requests.count == fetches)
    }

    @Test func `retryNow() does not start a repeated fetch again`() async throws {
        let held = Latch()
        script.answer { _, number in
            await held.wait()
            return Token("token \(number)", lifetime: 3540)
        }
        let call = Task { try await provider.token(for: .server) }
        try await script.waitForRequests(1)
        for _ in 0..<3 {
            clock.advance(by: 2)
            provider.retryNow()
        }
        held.open()
        #expect(try await call.value.text == "token 2")
    }

    /// It waits for itself until its time limit.
    @Test
    func `A fetch that requests its own scope ends in time`() async throws {
        let box = Lock<FleetTokenProvider?>(nil)
        let (entries, entered) = AsyncStream.makeStream(of: Void.self)
        let provider = FleetTokenProvider(clock: clock) { request in
            entered.finish()
            return try await box.withLock { $0 }?.token(for: request.scope) ?? Token("none", lifetime: 0)
        }
        box.withLock { $0 = provider }
        let call = Task { try await provider.token(for: .server) }
        for await _ in entries {}
        clock.advance(by: 15)
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .unavailable)
        box.withLock { $0 = nil }
    }

    @Test(arguments: [
        "", ".", "..", "../server", "//evil.example", "a/b", "a?b", "a,b", "e\u{301}",
        String(repeating: "a", count: 65),
    ])
    func `An ID that Fleet Engine does not allow is an error, and nothing is fetched`(id: String) async throws {
        let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: .trip(id)) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.remedy == .developer)
        #expect(script.requests.isEmpty)
    }

    @Test(arguments: [
        "KA 01 AB 1234", "a&b", "दिल्ली", "กรุงเทพ", "👩‍🚀", "naïve東京", "*", "%2F", " a", String(repeating: "é", count: 64),
    ])
    func `An ID that Fleet Engine allows is requested unchanged`(id: String) async throws {
        _ = try await provider.token(for: .vehicle(id))
        #expect(script.requests.first?.scope.id?.utf8.elementsEqual(id.utf8) == true)
    }

    @Test
    func `onFetch is called with each end of a fetch, and with no token`() async throws {
        let token = try await provider.token(for: .server)
        provider.invalidate(.server, rejected: token)
        script.fail(TokenProviderError(.permissionDenied, "No."))
        _ = try? await provider.token(for: .server)
        #expect(log.entries.map(\.scope) == [.server, .server])
        #expect(log.entries.map(\.error?.code) == [nil, .permissionDenied])
        #expect(!String(reflecting: log.entries).contains("token 1"))
    }
}
