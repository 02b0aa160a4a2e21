import Synchronization
import TokenMinting

/// Audit lines that are written together.
final class AuditBatch: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var count = 0
    }

    /// Where the trail stood before them.
    let start: AuditTrail.Position
    /// How the writing ended.
    let written = SharedResult<Void>()
    private let state = Mutex(State())

    /// No lines yet.
    init(at start: AuditTrail.Position) {
        self.start = start
    }

    /// The lines, each with its newline.
    var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// How many they are.
    var count: Int { state.withLock { $0.count } }

    /// Adds a line.
    ///
    /// - Returns: Where the trail stands after it.
    func add(_ line: AuditLineDraft, at position: AuditTrail.Position) -> AuditTrail.Position {
        state.withLock { state in
            state.count += 1
            return line.append(to: &state.bytes, at: position)
        }
    }
}
