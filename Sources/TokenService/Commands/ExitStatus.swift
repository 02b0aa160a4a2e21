package import ArgumentParser

/// What `tokend` and `tokenctl` end with; scripts may rely on it.
package enum ExitStatus: Int32, Sendable {
    /// All is well.
    case success = 0
    /// An error, a failed check, or a denied request.
    case failure = 1
    /// A server could not be reached, or is busy: a later attempt may succeed.
    case unavailable = 2
    /// The command line is wrong.
    case usage = 64

    /// The exit code, for a command that has already reported everything.
    package var code: ExitCode { ExitCode(rawValue) }

    /// The table for a program's help.
    package static let help = """
        EXIT STATUS:
           0  success
           1  failure: an error, a failed check, or a denied request
           2  a server is unavailable; try again
          64  wrong usage
        """
}
