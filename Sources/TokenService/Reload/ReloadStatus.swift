import ServiceSupport
import Synchronization

/// The status of the last reloads, which `Reloader` writes and `/readyz` reads.
final class ReloadStatus: Sendable {
    struct State {
        /// Why the configuration could not be read when that was requested last.
        var configuration: [Problem] = []
        /// Why the files that it names could not be loaded last.
        var files: [Problem] = []
        /// Whether credentials that the service was loaded with have been revoked since.
        var hasRevoked = false
        /// The settings that take effect at the next start.
        var requiringRestart: [String] = []

        /// Why not everything that was requested serves; empty when it does.
        var problems: [Problem] { configuration + files }

        /// What serves after a failed reload, as part of a sentence.
        var inUse: String {
            "the last good configuration keeps serving"
                + (hasRevoked ? ", without the credentials that were removed" : "")
        }
    }

    private let state = Mutex(State())

    var current: State {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
