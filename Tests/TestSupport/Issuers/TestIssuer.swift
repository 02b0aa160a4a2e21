import JOSE
import NIOCore
import NIOHTTP1
import StrictCoding
import Synchronization

/// An issuer as OpenID Connect has them: a key set over HTTP, and whatever can go wrong with it.
package final class TestIssuer: Sendable {
    /// What a request is answered with.
    package enum Answer: Sendable {
        case document([UInt8])
        case encoded([UInt8], String)
        /// Good keys, which must not be taken from an answer with this status.
        case status(Int)
        case redirect(String)
        /// 503 with this `Retry-After`, at 08:49:37 on 6 November 1994.
        case unavailable(retryAfter: String)
        /// More bytes than anybody wants, without a length.
        case endless
        /// The head and a few bytes, and nothing more.
        case dribble
        /// Not a byte.
        case silence
    }

    private struct State {
        var answer: Answer
        var requests = 0
        var abandoned = 0
        var observers: [AsyncStream<Void>.Continuation] = []
    }

    package let port: Int
    private let state: Mutex<State>

    private init(port: Int, answer: Answer) {
        self.port = port
        state = Mutex(State(answer: answer))
    }

    package var url: String { "http://127.0.0.1:\(port)/keys" }

    /// How many requests came.
    package var requests: Int { state.withLock { $0.requests } }

    package func publish(_ keys: [SigningKey], withAlgorithms: Bool = false) throws {
        answer(.document(try keys.map { try $0.jwk(withAlgorithm: withAlgorithms) }.keySet))
    }

    package func answer(_ answer: Answer) {
        state.withLock { $0.answer = answer }
    }

    /// Returns once the numbers of requests that came and of those that the client gave up are as they should be.
    package func waitUntil(_ condition: @Sendable (_ requests: Int, _ abandoned: Int) -> Bool) async {
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let isMet = state.withLock { state in
            state.observers.append(continuation)
            return condition(state.requests, state.abandoned)
        }
        guard !isMet else { return }
        for await _ in changes where state.withLock({ condition($0.requests, $0.abandoned) }) { return }
    }

    private func change(_ body: (inout State) -> Void) {
        let observers = state.withLock { state in
            body(&state)
            return state.observers
        }
        for observer in observers { observer.yield() }
    }
}

// MARK: - The server

extension TestIssuer {
    /// Runs an issuer that publishes a key for each algorithm, for as long as the closure runs.
    package static func run<Result: Sendable>(
        _ body: @Sendable (TestIssuer) async throws -> Result
    ) async throws -> Result {
        let server = try await LoopbackServer { channel in
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
        }
        let issuer = TestIssuer(port: server.port, answer: .status(404))
        try issuer.publish(JWSAlgorithm.allCases.map(SigningKey.shared))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.serve { _, inbound, outbound in try await issuer.serve(inbound, outbound) }
            }
            defer { group.cancelAll() }
            return try await body(issuer)
        }
    }

    private func serve(
        _ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        // Also when the client is gone before an answer could be written, which then throws.
        defer { change { $0.abandoned += 1 } }
        for try await part in inbound {
            guard case .end = part else { continue }
            var current = Answer.silence
            change { state in
                state.requests += 1
                current = state.answer
            }
            switch current {
            case .document(let body): try await send(200, [:], body, outbound)
            case .encoded(let body, let encoding):
                try await send(200, ["Content-Encoding": encoding], body, outbound)
            case .status(let code):
                let keys = try JWSAlgorithm.allCases.map { try SigningKey.shared($0).jwk() }
                try await send(code, [:], keys.keySet, outbound)
            case .unavailable(let retryAfter):
                let fields: HTTPHeaders = ["Retry-After": retryAfter, "Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
                try await send(503, fields, [], outbound)
            case .redirect(let location): try await send(302, ["Location": location], [], outbound)
            case .endless:
                try await outbound.write(.head(.init(version: .http1_1, status: .ok)))
                while true {
                    try await outbound.write(.body(.byteBuffer(ByteBuffer(repeating: 0x20, count: 65536))))
                }
            case .dribble:
                try await outbound.write(.head(.init(version: .http1_1, status: .ok)))
                try await outbound.write(.body(.byteBuffer(ByteBuffer(string: #"{"keys":"#))))
            case .silence: break
            }
        }
    }

    private func send(
        _ status: Int,
        _ headers: HTTPHeaders,
        _ body: [UInt8],
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        var headers = headers
        headers.add(name: "Content-Type", value: "application/json")
        headers.add(name: "Content-Length", value: "\(body.count)")
        try await outbound.write(
            contentsOf: [
                .head(.init(version: .http1_1, status: .init(statusCode: status), headers: headers)),
                .body(.byteBuffer(ByteBuffer(bytes: body))),
                .end(nil),
            ]
        )
    }
}
