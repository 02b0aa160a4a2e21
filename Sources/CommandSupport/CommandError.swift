import FleetToken
import JOSE
import ServiceConfiguration
import ServiceSupport
import TokenMinting

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
        case let error as ConfigurationError: self.init(.failure, error.description)
        case let error as FileError: self.init(.failure, error.description)
        case let error as TokenError: self.init(.failure, error.message)
        case let error as MintingError:
            let status: ExitStatus =
                switch error.code {
                case .invalidServiceAccount, .wrongToken: .badSignatureOrKey
                case .keySetAddress: .usage
                default: .failure
                }
            self.init(status, error.description)
        case let error as JOSEError:
            let isToken = [.malformedToken, .tooLarge, .forbiddenHeader].contains(error.code)
            self.init(isToken ? .malformedToken : .badSignatureOrKey, error.description)
        default: return nil
        }
    }

    /// Creates the same about a file, whose path the message then begins with.
    package init?(_ error: any Error, in path: String) {
        guard let error = Self(error) else { return nil }
        self.init(error.status, "\(path): \(error.message)")
    }
}
