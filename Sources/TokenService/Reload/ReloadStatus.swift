import Synchronization

/// How the last reload went, for whoever asks.
final class ReloadStatus: Sendable {
    private struct State {
        var problems: [String] = []
        var forTheNextStart: [String] = []
    }

    private let state = Mutex(State())

    /// Why the last reload failed, in one line; nil when it did not.
    var failure: String? {
        let problems = state.withLock { $0.problems }
        return problems.isEmpty ? nil : problems.joined(separator: "; ")
    }

    /// The settings that take effect at the next start, in one line; nil when there are none.
    var forTheNextStart: String? {
        let settings = state.withLock { $0.forTheNextStart }
        return settings.isEmpty ? nil : settings.joined(separator: ", ")
    }

    /// Takes note of a reload.
    ///
    /// - Returns: What of it is new since the one before, so that the same is not said again.
    func record(_ outcome: ReloadOutcome) -> (problems: [String], forTheNextStart: [String]) {
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
