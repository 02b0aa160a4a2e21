import TokenMinting

/// Audit lines that are written together.
struct AuditBatch {
    /// Where the trail stood before them.
    let start: AuditTrail.Position
    /// How the writing ended.
    let written = SharedResult<Void>()
    /// The lines, each with its newline.
    private(set) var bytes: [UInt8] = []
    /// How many they are.
    private(set) var count = 0

    /// No lines yet.
    init(at start: AuditTrail.Position) {
        self.start = start
    }

    /// Adds a line.
    ///
    /// - Returns: Where the trail stands after it.
    mutating func add(_ line: AuditLineDraft, at position: AuditTrail.Position) -> AuditTrail.Position {
        count += 1
        return line.append(to: &bytes, at: position)
    }
}
