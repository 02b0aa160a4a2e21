import ServiceSupport

/// Detects whether a file was replaced or changed, without reading it.
///
/// Links are followed, so that a swap of the folder behind them is seen, as Kubernetes does it; a write in place
/// changes the times.
package enum FileFingerprint: Hashable, Sendable {
    /// There is something.
    case present(Status)
    /// The file cannot be examined, for this reason.
    case absent(CInt)

    package struct Status: Hashable, Sendable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var mode: UInt32
        /// In nanoseconds since 1970, as is ``changed``.
        package var modified: Int64
        package var changed: Int64
    }

    package init(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .absent(errno)
            return
        }
        self = .present(
            Status(
                device: UInt64(truncatingIfNeeded: status.st_dev),
                inode: UInt64(truncatingIfNeeded: status.st_ino),
                size: Int64(status.st_size),
                mode: UInt32(truncatingIfNeeded: status.st_mode),
                modified: status.modificationTime,
                changed: status.changeTime
            )
        )
    }
}

extension stat {
    #if canImport(Darwin)
    fileprivate var modificationTime: Int64 { st_mtimespec.nanoseconds }
    fileprivate var changeTime: Int64 { st_ctimespec.nanoseconds }
    #else
    fileprivate var modificationTime: Int64 { st_mtim.nanoseconds }
    fileprivate var changeTime: Int64 { st_ctim.nanoseconds }
    #endif
}
