import FleetToken
import Synchronization

/// The PINs that tokens refused.
///
/// Tokens count wrong PINs, and lock. A PIN that was refused is not tried again, by no other key and no reload.
package final class PKCS11Refusals: Sendable {
    private struct Attempt: Hashable {
        let module: String
        let token: String
        let pin: Secret
    }

    private let errors = Mutex<[Attempt: PKCS11Error]>([:])

    /// Creates an empty set.
    package init() {}

    /// Tries a PIN, unless it was refused before.
    func attempt<Result>(
        _ pin: Secret,
        token: String,
        module: String,
        _ login: () throws(PKCS11Error) -> Result
    ) throws(PKCS11Error) -> Result {
        let attempt = Attempt(module: module, token: token, pin: pin)
        if let error = errors.withLock({ $0[attempt] }) { throw error }
        do throws(PKCS11Error) {
            return try login()
        } catch {
            if error.isRefusal { errors.withLock { $0[attempt] = error } }
            throw error
        }
    }
}
