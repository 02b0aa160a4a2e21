// Swift has no one name for the C library of each system, so every file would need these lines.
#if canImport(Glibc)
@_exported public import Glibc

/// The limit on open files, as functions of the system take it.
package let openFileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
@_exported public import Darwin

package let openFileLimit = RLIMIT_NOFILE
#endif
