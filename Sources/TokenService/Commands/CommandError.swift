import FleetToken
import JOSE
import ServiceSupport

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
