import FleetToken
import JOSE
import TokenMinting

/// Why a command failed: the message for the user and the status for scripts.
struct CommandError: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Creates the command error for an error of one of the modules; nil for an error of the argument parser.
    init?(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as TokenError: self.init(.failure, error.message)
        case let error as MintingError:
            let isKeyBad = error.code == .invalidServiceAccount || error.code == .wrongToken
            self.init(isKeyBad ? .badSignatureOrKey : .failure, error.description)
        case let error as JOSEError:
            let isToken = [.malformedToken, .tooLarge, .forbiddenHeader].contains(error.code)
            self.init(isToken ? .malformedToken : .badSignatureOrKey, error.description)
        default: return nil
        }
    }

    /// Creates the same error for a file, whose path begins the message.
    init?(_ error: any Error, in path: String) {
        guard let error = Self(error) else { return nil }
        self.init(error.status, "\(path): \(error.message)")
    }
}
