package import ArgumentParser
import FleetToken
import JOSE
import ServiceSupport
import TokenMinting

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

/// Why a command failed: the message for the user and the status for scripts.
package struct CommandError: Error {
    package let status: ExitStatus
    package let message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Creates the error for one of the modules below; nil for an error of the argument parser.
    package init?(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as TokenError: self.init(.failure, error.message)
        case let error as OperatorError: self.init(.failure, error.description)
        case let error as JOSEError: self.init(.failure, error.description)
        default: return nil
        }
    }

    /// Creates the same about a file, whose path the message then begins with.
    package init?(_ error: any Error, in path: String) {
        guard let error = Self(error) else { return nil }
        self.init(error.status, "\(path): \(error.message)")
    }
}
