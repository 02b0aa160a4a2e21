import ServiceConfiguration
import ServiceSupport
import Telemetry
import TokenIssuance
import TokenMinting

/// Checks during a reload that the next start can keep the audit trail where the new configuration says.
///
/// The trail in use stays where it is until then. The check opens a file, which can hang on a frozen disk, so it has a
/// thread of its own and a time limit, and a shutdown does not wait for it.
struct AuditInspection: Sendable {
    /// The maximum time of the check.
    static let limit = Duration.seconds(5)

    let clock: ServiceClock
    /// Checks a file.
    var inspect: @Sendable (_ path: String) throws -> Void = AuditFile.inspect

    /// Returns what is wrong with the trail's file, if it is a new one.
    func problems(_ configuration: AuditConfiguration, since serving: AuditConfiguration) async -> [String] {
        guard configuration.sink != serving.sink, case .file(let path) = configuration.sink else { return [] }
        let result = SharedResult<Void>()
        let thread = JobThread()
        thread.run { result.finish(Result { try inspect(path) }) }
        let timer = Task {
            try await clock.sleep(for: Self.limit)
            let error = ConfigurationError("The audit file \(path) cannot be opened: its disk does not respond.")
            result.finish(.failure(error))
        }
        defer { timer.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await result.value
            } onCancel: {
                result.finish(.failure(CancellationError()))
            }
            return []
        } catch let error as ConfigurationError {
            return error.problems.map { "audit: \($0)" }
        } catch {
            return ["audit: \(OperatorMessage(error))"]
        }
    }
}
