import FleetToken
import JOSE
import ServiceSupport
import TokenMinting

// The errors of the modules below, which know nothing of logs. None has a secret or an ID in its description.
extension TokenError: LoggableError {}
extension MintingError: LoggableError {}
extension IAMError: LoggableError {}
extension PKCS11Error: LoggableError {}
extension JOSEError: LoggableError {}
