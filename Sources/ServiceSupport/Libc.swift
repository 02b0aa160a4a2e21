// Swift has no one name for the C library of each system, so every file would need these lines.
#if canImport(Glibc)
@_exported public import Glibc

/// The limit on open files, as functions of the system take it.
package let openFileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
@_exported public import Darwin

package let openFileLimit = RLIMIT_NOFILE
#endif

extension timespec {
    /// Its nanoseconds; those of the year 2262 for a later time, which 64 bits cannot hold.
    ///
    /// With the static standard library, the compiler finds the members of this type in no file but this one.
    package var nanoseconds: Int64 {
        min(Int64(tv_sec), .max / 1_000_000_000 - 1) &* 1_000_000_000 &+ Int64(tv_nsec)
    }
}
