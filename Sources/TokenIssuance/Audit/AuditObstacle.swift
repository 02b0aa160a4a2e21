import ServiceSupport
import Telemetry

/// Why a line is not written, although no write has failed.
enum AuditObstacle: LoggableError {
    /// The queue is full.
    case full
    /// A write has not finished in time.
    case stalled

    package var description: String {
        switch self {
        case .full: "The queue of audit lines is full. Check the disk of audit.file, or the reader of standard output."
        case .stalled:
            "A write has not finished within audit.timeoutSeconds. Check the disk of audit.file, or the reader of standard output."
        }
    }
}
