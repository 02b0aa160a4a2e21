import HTTPTypes
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenService

@Suite(.watchdog)
struct LastResponseTests {
    private static let size = 2_000_000

    private struct Large: Responder {
        func respond(to request: Request) async -> Response {
            guard request.error == nil else { return Response(status: .badRequest) }
            var response = Response(
                status: .ok,
                body: [UInt8](repeating: UInt8(ascii: "x"), count: size) + Array("!".utf8)
            )
            response.requestID = "1"
            return response
        }
    }

    /// What makes the server close.
    enum Ending: CaseIterable, Sendable {
        case closeField, http10, halfClose, pipelinedClose, pipelinedHalfClose, draining, bytesBehind, malformedBehind

        var request: String {
            let kept = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            return switch self {
            case .closeField: last
            case .http10: "GET / HTTP/1.0\r\n\r\n"
            case .halfClose, .draining: kept
            case .pipelinedClose: kept + kept + last
            case .pipelinedHalfClose: kept + kept + kept
            case .bytesBehind: last + String(repeating: "x", count: 300_000)
            case .malformedBehind: kept + "GET /\u{0} HTTP/1.1\r\n\r\n" + String(repeating: "x", count: 300_000)
            }
        }

        var isHalfClosing: Bool { [.halfClose, .pipelinedHalfClose].contains(self) }
        var responses: Int { [.pipelinedClose, .pipelinedHalfClose].contains(self) ? 3 : 1 }
    }

    @Test(
        arguments: Ending.allCases,
        [false, true]
    )
    func `A response that is larger than the socket's buffers arrives whole before the connection closes`(
        ending: Ending,
        overTLS: Bool
    ) async throws {
        let received = try await Self.received(ending, overTLS: overTLS)
        let count = received.readableBytes
        let end = try #require(received.readableBytesView.lastIndex(of: UInt8(ascii: "!")))
        #expect(end > ending.responses * Self.size && count < ending.responses * (Self.size + 1_000) + 1_000)
    }

    /// Returns all that a server sends until it closes.
    private static func received(_ ending: Ending, overTLS: Bool) async throws -> ByteBuffer {
        let lifecycle = Lifecycle()
        if ending == .draining { lifecycle.drain() }
        let made = try TestCertificate(for: "localhost")
        let files = try CertificateFiles(made)
        var trust = TLSConfiguration.makeClientConfiguration()
        trust.trustRoots = .certificates([made.certificate])
        let context = try NIOSSLContext(configuration: trust)
        return try await Listener.run(Large(), lifecycle, certificate: overTLS ? files.load() : nil) { port in
            let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelOption(.socketOption(.so_rcvbuf), value: 8192)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if overTLS {
                            let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
                            try channel.pipeline.syncOperations.addHandler(handler)
                        }
                        return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel,
                            configuration: .init(isOutboundHalfClosureEnabled: true)
                        )
                    }
                }
            return try await client.executeThenClose { inbound, outbound in
                async let sending: Void = {
                    try await outbound.write(ByteBuffer(string: ending.request))
                    if ending.isHalfClosing { outbound.finish() }
                }()
                var received = ByteBuffer()
                do {
                    for try await buffer in inbound { received.writeImmutableBuffer(buffer) }
                } catch NIOSSLError.uncleanShutdown {
                    // The server may not have room for TLS's own end behind a response; the length of the response tells.
                }
                try await sending
                return received
            }
        }
    }
}
