import Logging
import ServiceLifecycle

/// Reads the keys again and again, so that new keys are known soon.
struct KeyReloading: Service {
    let reader: KeyReader
    let logger: Logger
    /// Called once, when all sources have been read or have failed.
    let onRead: @Sendable () -> Void

    func run() async throws {
        // A fetch that is under way must not delay the end: a server that is away is tried for seconds.
        try? await cancelWhenGracefulShutdown {
            var reported = await readAndReport([])
            onRead()
            while true {
                try await Task.sleep(for: .seconds(1))
                reported = await readAndReport(reported)
            }
        }
    }

    /// Reads the keys, and logs the problems that are new.
    private func readAndReport(_ reported: [String]) async -> [String] {
        let problems = await reader.read()
        for problem in problems where !reported.contains(problem) && !Task.isCancelled {
            logger.warning("A key cannot be read.", metadata: ["problem": "\(problem)"])
        }
        return problems
    }
}
