#if Emulator
import Logging
import ServiceLifecycle

/// Reads the keys again and again, so that new keys are known soon.
struct KeyReloading: Service {
    let reader: KeyReader
    let logger: Logger

    func run() async throws {
        var reported: [String] = []
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let problems = await reader.read()
            for problem in problems where !reported.contains(problem) {
                logger.warning("A key cannot be read.", metadata: ["problem": "\(problem)"])
            }
            reported = problems
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
        }
    }
}
#endif
