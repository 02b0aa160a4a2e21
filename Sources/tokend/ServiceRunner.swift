import ServiceSupport
import TokenService

/// Runs the service until a signal stops it; requests in progress are completed.
enum ServiceRunner {
    /// Runs the service until SIGTERM or SIGINT.
    static func run(_ service: TokenDaemon) async throws {
        // Past its limit, a write to a file must fail and not end the process.
        signal(SIGXFSZ, SIG_IGN)
        defer { LineWriter.flushAll() }
        try await service.runUntilSignal()
    }
}
