package import ArgumentParser
import FleetToken
import JOSE
import ServiceConfiguration
import ServiceSupport
import TokenMinting

/// What `tokend` and `tokenctl` end with; scripts may rely on it.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    /// All is well.
    case success = 0
    /// A check failed, or a file cannot be read or written.
    case failure = 1
    case malformedToken = 2
    /// The signature is invalid, or a key is unusable.
    case badSignatureOrKey = 3
    /// The claims are not Fleet Engine's, or the token's time is over.
    case badClaims = 4
    /// The token's scope differs from the expected one.
    case wrongScope = 5
    /// A key set or a token cannot be fetched.
    case network = 6
    /// A webhook would decide.
    case undecided = 9
    /// The command line is wrong.
    case usage = 64

    /// The exit code, for a command that has already reported everything.
    package var code: ExitCode { ExitCode(rawValue) }

    private var meaning: String {
        switch self {
        case .success: "success"
        case .failure: "a check failed, or a file cannot be read or written"
        case .malformedToken: "the input is not a token"
        case .badSignatureOrKey: "wrong signature, or unusable key"
        case .badClaims: "the claims are not Fleet Engine's, or the token has expired"
        case .wrongScope: "the token is for another kind or ID"
        case .network: "a key set or a token cannot be fetched"
        case .undecided: "a webhook would decide; it is not called"
        case .usage: "wrong usage"
        }
    }

    /// The table for a command's help: the statuses that it can end with, and those that all commands have.
    package static func help(_ statuses: ExitStatus...) -> String {
        let shown = [.success, .failure, .usage] + statuses
        let rows = allCases.filter(shown.contains).map { status in
            let number = "\(status.rawValue)"
            return "  \(String(repeating: " ", count: 2 - number.count))\(number)  \(status.meaning)"
        }
        return (["EXIT STATUS:"] + rows).joined(separator: "\n")
    }
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
        case let error as ConfigurationError: self.init(.failure, error.description)
        case let error as FileError: self.init(.failure, error.description)
        case let error as TokenError: self.init(.failure, error.message)
        case let error as MintingError: self.init(.badSignatureOrKey, error.description)
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
