import FleetToken
import JOSE
import SystemPackage
import TokenMinting

/// What a log may say of an error: the text of our own errors and of the system's, which hold no secret, and of others
/// only the type.
struct OperatorMessage: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        switch error {
        case let error as TokenError: description = error.description
        case let error as MintingError: description = error.description
        case let error as IAMError: description = error.description
        case let error as PKCS11Error: description = error.description
        case let error as JOSEError: description = error.description
        case let error as ConfigurationError: description = error.description
        case let error as Errno: description = error.description
        default: description = String(reflecting: type(of: error))
        }
    }
}
