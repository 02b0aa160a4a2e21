/// Why files are read.
enum ReloadTrigger: Sendable {
    /// Time has passed: the files that the configuration names are read if they have changed.
    case tick
    /// A reload was requested: the configuration is read, and all files that it names.
    case request
}
