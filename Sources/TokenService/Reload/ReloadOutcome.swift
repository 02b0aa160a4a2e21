/// What became of reading everything anew.
struct ReloadOutcome: Sendable {
    /// The files, as they were before they were read: those that matter from now on.
    var files: FileSnapshot
    /// Why what was loaded before keeps serving; nothing when the new serves.
    var problems: [String] = []
    /// What runs, and would better be otherwise.
    var warnings: [String] = []
    /// The settings that take effect at the next start.
    var forTheNextStart: [String] = []
}
