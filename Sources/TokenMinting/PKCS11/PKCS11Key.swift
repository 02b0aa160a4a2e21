import Dispatch
public import FleetToken
public import JOSE
import Synchronization

/// A private key in a PKCS#11 token: a hardware security module, or SoftHSM.
///
/// It never leaves the token.
public final class PKCS11Key: Sendable {
    private enum State {
        case closed
        case open(session: UInt, key: UInt)
        /// The PIN was refused; trying it again would lock the token.
        case refused(PKCS11Error)
    }

    /// The public half.
    public let publicKey: RSAPublicKey

    private let module: PKCS11Module
    private let token: String
    private let label: String
    private let pin: Secret
    private let state: Mutex<State>
    /// Tokens take their time, which must not be that of the threads which serve everybody; and a session does one thing at
    /// a time.
    private let queue: DispatchQueue

    /// Opens a key.
    ///
    /// - Parameters:
    ///   - label: The key's label.
    ///   - token: The label of the token that it is in.
    ///   - module: The path of the shared library that reaches the token.
    ///   - pin: The token's user PIN.
    /// - Throws: ``PKCS11Error``, or ``JOSEError`` when the key is not one that may be used.
    public init(label: String, token: String, module: String, pin: Secret) throws {
        self.module = try PKCS11Module(path: module)
        self.token = token
        self.label = label
        self.pin = pin
        queue = DispatchQueue(label: "pkcs11")
        let (session, key) = try Self.open(self.module, token, label, pin)
        publicKey = try RSAPublicKey(
            modulus: try self.module.number(0x120, of: key, in: session),
            exponent: try self.module.number(0x122, of: key, in: session)
        )
        state = Mutex(.open(session: session, key: key))
    }

    /// Signs a message by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3).
    ///
    /// - Throws: ``PKCS11Error``.
    func signature(for message: [UInt8]) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.sign(message) }) }
        }
    }

    private func sign(_ message: [UInt8]) throws(PKCS11Error) -> [UInt8] {
        try state.withLock { (state) throws(PKCS11Error) in
            do throws(PKCS11Error) {
                return try sign(message, &state)
            } catch {
                guard error.isLoss else { throw error }
                // A token that was reset or taken away and put back has forgotten the session, the login and the handles.
                if case .open(let session, _) = state { module.close(session) }
                state = .closed
                return try sign(message, &state)
            }
        }
    }

    private func sign(_ message: [UInt8], _ state: inout State) throws(PKCS11Error) -> [UInt8] {
        switch state {
        case .refused(let error): throw error
        case .open(let session, let key): return try module.signature(of: message, with: key, in: session)
        case .closed:
            do throws(PKCS11Error) {
                let (session, key) = try Self.open(module, token, label, pin)
                state = .open(session: session, key: key)
                return try module.signature(of: message, with: key, in: session)
            } catch {
                if error.isRefusal { state = .refused(error) }
                throw error
            }
        }
    }

    private static func open(
        _ module: PKCS11Module,
        _ token: String,
        _ label: String,
        _ pin: Secret
    ) throws(PKCS11Error) -> (session: UInt, key: UInt) {
        try module.start()
        let session = try module.session(in: try module.slot(ofTokenLabelled: token), pin: pin.reveal())
        do throws(PKCS11Error) {
            return (session, try module.privateKey(labelled: label, in: session))
        } catch {
            module.close(session)
            throw error
        }
    }
}
