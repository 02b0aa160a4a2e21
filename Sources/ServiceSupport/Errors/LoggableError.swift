package import SystemPackage

/// An error whose description holds no secret and no ID, so that a log may have it.
package protocol LoggableError: Error, CustomStringConvertible {}

extension Errno: LoggableError {}
