import FleetToken
import InMemoryTracing
import Logging
import ServiceLifecycle
import ServiceSupport
import StrictCoding
import TestSupport
import Testing
import Tracing

@testable import ServiceConfiguration
@testable import ServiceTools
@testable import Telemetry
@testable import TokenIssuance
@testable import TokenMinting
@testable import TokenService

/// The spans of a request, seen by a tracer in memory.
@Suite(.timeLimit(.minutes(1)))
struct TracingTests {
    /// A span as a test compares it.
    private struct Seen: Equatable {
        let name: String
        let kind: SpanKind
        var attributes: [String: SpanAttribute]
        let hasFailed: Bool

        init(_ span: FinishedInMemorySpan) {
            var attributes: [String: SpanAttribute] = [:]
            span.attributes.forEach { attributes[$0] = $1 }
            (name, kind, self.attributes) = (span.operationName, span.kind, attributes)
            hasFailed = span.status?.code == .error
        }

        init(_ name: String, _ kind: SpanKind, _ attributes: [String: SpanAttribute], hasFailed: Bool = false) {
            (self.name, self.kind, self.attributes, self.hasFailed) = (name, kind, attributes, hasFailed)
        }
    }

    /// Runs the service that ``KeySite`` configures.
    private func serve(
        _ tracer: InMemoryTracer,
        _ body: @escaping @Sendable (_ port: Int, _ key: String) async throws -> Void
    ) async throws {
        try await KeySite.with { site in
            try site.populate()
            try site.configure { $0["service"] = ["listen": "127.0.0.1:0", "drainSeconds": 0] }
            var generator = SystemRandomNumberGenerator()
            let key = try NewAPIKey(label: "backend", notAfter: nil, using: &generator)
            try site.write("api-keys", Array(key.line.utf8))
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let (ready, listening) = AsyncStream.makeStream(of: Int.self)
            let service = try await ProductionMode(path: site.path("tokend.yaml")).service(
                logger: logger,
                spans: SpanRecorder(tracer),
                onReady: { listening.yield($0.service.port) }
            )
            let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
            async let running: Void = group.run()
            var ports = ready.makeAsyncIterator()
            try await body(try #require(await ports.next()), String(decoding: key.key.reveal(), as: UTF8.self))
            await group.triggerGracefulShutdown()
            try await running
        }
    }

    @Test func requestAndItsSignatureContinueTheCallersTrace() async throws {
        let tracer = InMemoryTracer()
        try await serve(tracer) { port, key in
            let answer = try await HTTPExchange.request(
                "GET",
                "/token/driver/private-id?lifetimeSeconds=700",
                port: port,
                headers: ["X-API-Key: \(key)", "in-memory-trace-id: caller", "in-memory-span-id: caller-span"]
            )
            #expect(answer.status == 200)
        }
        let spans = tracer.popFinishedSpans().filter { $0.traceID == "caller" }
        #expect(
            spans.map(Seen.init) == [
                Seen("sign", .internal, ["fleet_token.signer": "local"]),
                Seen(
                    "GET /token/{kind}/{id}",
                    .server,
                    [
                        "http.request.method": "GET", "http.route": "/token/{kind}/{id}",
                        "http.response.status_code": 200,
                    ]
                ),
            ]
        )
        #expect(spans.map(\.parentSpanID) == [spans.last?.spanID, "caller-span"])
    }

    @Test(arguments: [
        ("GET", "/token/driver/private-id", "GET /token/{kind}/{id}", 401), ("GET", "/private-path", "GET", 404),
        ("DELETE", "/token/driver/private-id", "HTTP", 405),
    ])
    func refusalIsASpanWithoutTheClientsText(method: String, path: String, name: String, status: Int64) async throws {
        let tracer = InMemoryTracer()
        try await serve(tracer) { port, _ in
            _ = try await HTTPExchange.request(method, path, port: port, headers: ["X-API-Key: a-secret"])
        }
        let span = try #require(tracer.popFinishedSpans().first { $0.kind == .server })
        let seen = Seen(span)
        #expect(
            (seen.name, seen.attributes["http.response.status_code"], seen.hasFailed) == (name, .int64(status), false)
        )
        #expect(!"\(seen)".contains("private") && !"\(seen)".contains("secret"))
    }

    /// Who is asked, and how.
    enum Peer: String, CaseIterable {
        case webhook, google, issuer

        var method: String { self == .webhook ? "POST" : "GET" }

        func ask(_ url: String, _ network: ProductionNetwork) async throws {
            switch self {
            case .webhook:
                let request = WebhookRequest(
                    url: try WebhookURL(url),
                    headers: [],
                    body: [],
                    timeout: .seconds(3600)
                )
                _ = try await network.webhooks.post(request)
            case .google: _ = try await network.google.transport.send(GoogleRequest(.get, url))
            case .issuer: _ = try await network.keySets(KeySetURL(url, allowsLoopback: true), nil)
            }
        }
    }

    @Test(arguments: Peer.allCases, [200, 503] as [Int64])
    func serverThatIsAskedReceivesTheSpansContext(peer: Peer, status: Int64) async throws {
        let tracer = InMemoryTracer()
        try await RawServer.run(.answer("HTTP/1.1 \(status) Whatever\r\nContent-Length: 2\r\n\r\n{}")) { server in
            let network = ProductionNetwork.live(google: .google, spans: SpanRecorder(tracer))
            // The server ends when its connections do.
            defer { network.shutdown() }
            try await peer.ask("http://127.0.0.1:\(server.port)/private", network)
            let span = try #require(tracer.popFinishedSpans().first)
            #expect(server.requests.first?.contains("in-memory-span-id: \(span.spanID)\r\n") == true)
            var attributes: [String: SpanAttribute] = [
                "http.request.method": .string(peer.method), "http.response.status_code": .int64(status),
                "server.address": "127.0.0.1", "server.port": .int64(Int64(server.port)),
            ]
            if status == 503 { attributes["error.type"] = "503" }
            let name = "\(peer.method) \(peer.rawValue)"
            #expect(Seen(span) == Seen(name, .client, attributes, hasFailed: status == 503))
            #expect(tracer.popFinishedSpans().isEmpty)
        }
    }

    @Test func developmentRecordsSpansToo() async throws {
        let tracer = InMemoryTracer()
        let answer = try await DevelopmentService.run(spans: SpanRecorder(tracer)) { port, _ in
            try await HTTPExchange.request("GET", "/token/driver/private-id", port: port)
        }
        #expect(answer.status == 200)
        #expect(tracer.popFinishedSpans().map(\.operationName) == ["sign", "GET /token/{kind}/{id}"])
    }

    @Test(arguments: [RateAnswer.taken, .empty(seconds: 3), .away])
    func redisIsASpan(answer: RateAnswer) async throws {
        struct Store: RateStore {
            let answer: RateAnswer
            func take(_ bucket: RateBucket) async -> RateAnswer { answer }
        }
        let tracer = InMemoryTracer()
        let store = TracedRateStore(store: Store(answer: answer), spans: SpanRecorder(tracer))
        #expect(await store.take(RateBucket(key: "private", interval: 1, capacity: 1)) == answer)
        var attributes: [String: SpanAttribute] = ["db.system.name": "redis", "db.operation.name": "EVALSHA"]
        if answer == .away { attributes["error.type"] = "unavailable" }
        let spans = tracer.popFinishedSpans().map(Seen.init)
        #expect(spans == [Seen("EVALSHA", .client, attributes, hasFailed: answer == .away)])
    }

    @Test func withoutATracerThereIsNoRecorder() {
        #expect(SpanRecorder.registered() == nil)
    }

    /// Its text could have an ID.
    @Test func errorIsRecordedByItsType() async throws {
        struct Trouble: Error, CustomStringConvertible {
            let description = "private"
        }
        let tracer = InMemoryTracer()
        await #expect(throws: Trouble.self) {
            try await SpanRecorder(tracer).record("sign", .internal) { _ in throw Trouble() }
        }
        let span = try #require(tracer.popFinishedSpans().first)
        #expect(Seen(span) == Seen("sign", .internal, ["error.type": "Trouble"], hasFailed: true))
        #expect(span.errors.isEmpty)
    }
}
