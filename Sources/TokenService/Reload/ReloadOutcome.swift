import ServiceSupport

/// The result of a reload.
struct ReloadOutcome: Sendable {
    /// The files, as they were before they were read: those that matter from now on; nil if the configuration itself could
    /// not be read, and they were not.
    var files: FileSnapshot?
    /// Why the last good configuration keeps serving; empty after success.
    var problems: [Problem] = []
    /// Whether credentials of the configuration that keeps serving were revoked.
    var hasRevoked = false
    var warnings: [Problem] = []
    /// The settings that take effect at the next start.
    var requiringRestart: [String] = []
}
