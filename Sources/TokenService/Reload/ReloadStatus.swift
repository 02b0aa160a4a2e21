import ServiceSupport
import Synchronization

/// The status of the last reloads.
final class ReloadStatus: Sendable {
    private struct State {
        /// Why the configuration could not be read when that was requested last.
        var configuration: [Problem] = []
        /// Why it, and the files that it names, could not be loaded last.
        var files: [Problem] = []
        var forTheNextStart: [String] = []

        var problems: [Problem] { configuration + files }
    }

    private let state = Mutex(State())

    /// Why not everything that was requested serves, in one line; nil when it does.
    var failure: String? {
        let problems = state.withLock { $0.problems }
        return problems.isEmpty ? nil : problems.map(\.description).joined(separator: "; ")
    }

    /// Whether the last files that were read could not be loaded.
    var hasFailedFiles: Bool { state.withLock { !$0.files.isEmpty } }

    /// The settings that take effect at the next start, in one line; nil when there are none.
    var forTheNextStart: String? {
        let settings = state.withLock { $0.forTheNextStart }
        return settings.isEmpty ? nil : settings.joined(separator: ", ")
    }

    /// Records a reload.
    ///
    /// - Returns: The changes since the previous reload, so that nothing is reported twice.
    func record(_ outcome: ReloadOutcome, of trigger: ReloadTrigger) -> (problems: [Problem], forTheNextStart: [String])
    {
        state.withLock { state in
            let before = state
            if outcome.files == nil {
                state.configuration = outcome.problems
            } else {
                state.files = outcome.problems
                if trigger == .request { state.configuration = [] }
                // A failed reload changed nothing.
                if outcome.problems.isEmpty { state.forTheNextStart = outcome.forTheNextStart }
            }
            return (
                state.problems.filter { !before.problems.contains($0) },
                state.forTheNextStart.filter { !before.forTheNextStart.contains($0) }
            )
        }
    }
}
