import ServiceSupport
import Synchronization

/// The status of the last reloads.
final class ReloadStatus: Sendable {
    /// What was not reported before.
    typealias News = (problems: [Problem], requiringRestart: [String])

    private struct State {
        /// Why the configuration could not be read when that was requested last.
        var configuration: [Problem] = []
        /// Why it, and the files that it names, could not be loaded last.
        var files: [Problem] = []
        /// Whether credentials that the service was loaded with have been revoked since.
        var hasRevoked = false
        var requiringRestart: [String] = []

        var problems: [Problem] { configuration + files }
    }

    private let state = Mutex(State())

    /// What serves after a failed reload, as part of a sentence.
    var inUse: String {
        let hasRevoked = state.withLock { $0.hasRevoked }
        return "the last good configuration keeps serving"
            + (hasRevoked ? ", without the credentials that were removed" : "")
    }

    /// Why not everything that was requested serves, in one line; nil when it does.
    var failure: String? {
        let problems = state.withLock { $0.problems }
        return problems.isEmpty ? nil : problems.map(\.description).joined(separator: "; ")
    }

    /// Whether the last files that were read could not be loaded.
    var hasFailedFiles: Bool { state.withLock { !$0.files.isEmpty } }

    /// The settings that take effect at the next start, in one line; nil when there are none.
    var requiringRestart: String? {
        let settings = state.withLock { $0.requiringRestart }
        return settings.isEmpty ? nil : settings.joined(separator: ", ")
    }

    /// Records a reload.
    ///
    /// - Returns: The changes since the previous reload, so that nothing is reported twice.
    func record(_ outcome: ReloadOutcome, of trigger: ReloadTrigger) -> News {
        state.withLock { state in
            let before = state
            if outcome.hasRevoked { state.hasRevoked = true }
            if outcome.files == nil {
                state.configuration = outcome.problems
            } else {
                state.files = outcome.problems
                if trigger == .request { state.configuration = [] }
                if outcome.problems.isEmpty {
                    state.requiringRestart = outcome.requiringRestart
                    state.hasRevoked = false
                }
            }
            return (
                state.problems.filter { !before.problems.contains($0) },
                state.requiringRestart.filter { !before.requiringRestart.contains($0) }
            )
        }
    }
}
