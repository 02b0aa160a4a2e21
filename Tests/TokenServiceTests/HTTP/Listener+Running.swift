import HTTPTypes
import Logging
import ServiceLifecycle
import Testing

@testable import ServiceSupport
@testable import TokenService

extension Listener {
    /// Runs a listener, on a port of the system's choice, while a closure runs.
    static func run<Result>(
        _ responder: any Responder,
        _ lifecycle: Lifecycle = Lifecycle(),
        certificate: ServerCertificate? = nil,
        _ body: (_ port: Int) async throws -> Result
    ) async throws -> Result {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let listener = Listener(
            address: ListenAddress(host: "127.0.0.1", port: 0),
            responder: responder,
            lifecycle: lifecycle,
            clock: .system,
            certificate: certificate
        ) { listening.yield($0.port) }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(configuration: .init(services: [listener], logger: logger))
        async let running: Void = group.run()
        var iterator = ports.makeAsyncIterator()
        let result = try await body(try #require(await iterator.next()))
        await group.triggerGracefulShutdown()
        try await running
        return result
    }
}
