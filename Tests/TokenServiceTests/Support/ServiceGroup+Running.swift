import Logging
import ServiceLifecycle
import TestSupport

extension ServiceGroup {
    /// Runs a service while a closure runs, which gets what the service says when it is ready.
    static func run<Ready: Sendable, Result>(
        _ service: (_ onReady: @escaping @Sendable (Ready) -> Void) async throws -> any Service,
        whileRunning body: (Ready) async throws -> Result
    ) async throws -> Result {
        let (ready, continuation) = AsyncStream.makeStream(of: Ready.self)
        let service = try await service { continuation.yield($0) }
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: .silent))
        async let running: Void = {
            defer { continuation.finish() }
            try await group.run()
        }()
        var iterator = ready.makeAsyncIterator()
        guard let addresses = await iterator.next() else {
            try await running
            throw CancellationError()
        }
        let result = try await body(addresses)
        await group.triggerGracefulShutdown()
        try await running
        return result
    }
}
