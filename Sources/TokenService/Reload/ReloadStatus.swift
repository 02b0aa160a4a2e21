import ServiceSupport
import Synchronization

/// The status of the last reload.
final class ReloadStatus: Sendable {
    private let state = Mutex((problems: [Problem](), forTheNextStart: [String]()))

    /// Why the last reload failed, in one line; nil when it did not.
    var failure: String? {
        let problems = state.withLock { $0.problems }
        return problems.isEmpty ? nil : problems.map(\.description).joined(separator: "; ")
    }

    /// The settings that take effect at the next start, in one line; nil when there are none.
    var forTheNextStart: String? {
        let settings = state.withLock { $0.forTheNextStart }
        return settings.isEmpty ? nil : settings.joined(separator: ", ")
    }

    /// Records a reload.
    ///
    /// - Returns: The changes since the previous reload, so that nothing is reported twice.
    func record(_ outcome: ReloadOutcome) -> (problems: [Problem], forTheNextStart: [String]) {
        state.withLock { state in
            let before = state
            state.problems = outcome.problems
            // A failed reload changed nothing.
            if outcome.problems.isEmpty { state.forTheNextStart = outcome.forTheNextStart }
            return (
                state.problems.filter { !before.problems.contains($0) },
                state.forTheNextStart.filter { !before.forTheNextStart.contains($0) }
            )
        }
    }
}
