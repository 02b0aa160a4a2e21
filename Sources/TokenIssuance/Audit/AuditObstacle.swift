import ServiceSupport

/// Why a line is not written, although no write has failed.
enum AuditObstacle: LoggableError {
    /// More lines wait than can be written in time.
    case overloaded
    /// A write takes long.
    case stalled

    var description: String {
        switch self {
        case .overloaded: "More audit lines are waiting than can be written in time. Add replicas, or lower limits."
        case .stalled: "A write takes too long. Check the disk of audit.file, or the reader of standard output."
        }
    }
}
