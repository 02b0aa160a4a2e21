/// Why the files are checked.
enum ReloadTrigger: Sendable {
    /// Time has passed: they are read if they have changed.
    case tick
    /// A reload was requested: the files are read.
    case request
}
