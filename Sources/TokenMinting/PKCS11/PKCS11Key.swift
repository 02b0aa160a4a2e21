package import FleetToken
package import JOSE
import Synchronization

/// A private key in a PKCS#11 token: a hardware security module, or SoftHSM.
///
/// It never leaves the token. One session stays open until the key is released.
package final class PKCS11Key: Sendable {
    /// The location of a key, and its PIN.
    struct Location: Sendable {
        let configuration: PKCS11Configuration
        let pin: Secret
        let refusals: PKCS11Refusals
    }

    private enum State {
        case closed
        case open(session: UInt, key: UInt)
        /// The token has another key in its location, which a reload reads.
        case replaced
    }

    package let publicKey: RSAPublicKey

    private let library: PKCS11Library
    private let location: Location
    /// Changed on the module's thread only, and never locked during a call.
    private let state: Mutex<State>

    /// Opens a key with the token's user PIN, unless that was refused before.
    ///
    /// - Throws: ``PKCS11Error``, ``JOSEError`` if the key is not allowed, or `CancellationError`.
    package static func open(
        _ configuration: PKCS11Configuration,
        pin: Secret,
        refusals: PKCS11Refusals,
        within limit: Duration = .seconds(10)
    ) async throws -> PKCS11Key {
        let location = Location(configuration: configuration, pin: pin, refusals: refusals)
        let library = PKCS11Library.at(configuration.module)
        return try await library.run(within: limit) { try PKCS11Key(location, library: library, module: $0) }
    }

    private init(_ location: Location, library: PKCS11Library, module: PKCS11Module) throws {
        self.location = location
        self.library = library
        let (session, key) = try module.open(location)
        do {
            publicKey = try module.publicKey(of: key, in: session)
        } catch {
            module.close(session)
            throw error
        }
        state = Mutex(.open(session: session, key: key))
    }

    deinit {
        guard case .open(let session, _) = state.withLock({ $0 }) else { return }
        library.later { $0.close(session) }
    }

    /// The calls into modules that have taken longer than a working token needs.
    package static var hangs: [PKCS11Error] {
        PKCS11Library.hangs(longerThan: .seconds(2))
    }

    /// Whether the token still has the same key under its label, as far as known.
    package var isCurrent: Bool {
        state.withLock { if case .replaced = $0 { false } else { true } }
    }

    /// The PIN that it was opened with.
    var pin: Secret { location.pin }

    /// Signs a message by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3).
    ///
    /// - Throws: ``PKCS11Error``, or `CancellationError`.
    func signature(for message: [UInt8], within limit: Duration) async throws -> [UInt8] {
        try await library.run(within: limit) { try self.sign(message, $0) }
    }

    private func sign(_ message: [UInt8], _ module: PKCS11Module) throws -> [UInt8] {
        do throws(PKCS11Error) {
            if case .open(let session, let key) = state.withLock({ $0 }) {
                return try verified(module.signature(of: message, with: key, in: session), message)
            }
        } catch {
            guard error.isLoss else { throw error }
            // A token that was reset or taken away and put back has forgotten the session, the login and the handles.
            if case .open(let session, _) = state.withLock({ $0 }) { module.close(session) }
            state.withLock { $0 = .closed }
        }
        let (session, key) = try reopen(module)
        return try verified(module.signature(of: message, with: key, in: session), message)
    }

    /// Returns a signature after verifying it.
    private func verified(_ signature: [UInt8], _ message: [UInt8]) throws(PKCS11Error) -> [UInt8] {
        guard publicKey.isValidSignature(signature, for: message) else {
            throw PKCS11Error(
                "\(library.path) returned an invalid signature from C_Sign (\(signature.count) bytes). Check the token with its vendor's tool."
            )
        }
        return signature
    }

    private func reopen(_ module: PKCS11Module) throws -> (session: UInt, key: UInt) {
        guard isCurrent else { throw replaced }
        let (session, key) = try module.open(location)
        guard let found = try? module.publicKey(of: key, in: session), found == publicKey else {
            module.close(session)
            state.withLock { $0 = .replaced }
            throw replaced
        }
        state.withLock { $0 = .open(session: session, key: key) }
        return (session, key)
    }

    private var replaced: PKCS11Error {
        PKCS11Error(
            "The token \(location.configuration.token) has a different key labelled \(location.configuration.key) than before. Set its keyId, and reload the service."
        )
    }
}

extension PKCS11Module {
    /// Opens a session, logs in and finds a key.
    fileprivate func open(_ location: PKCS11Key.Location) throws(PKCS11Error) -> (session: UInt, key: UInt) {
        let (configuration, pin) = (location.configuration, location.pin)
        try start()
        let slot = try slot(ofTokenLabelled: configuration.token)
        let session = try location.refusals.attempt(location) {
            () throws(PKCS11Error) -> UInt in try self.session(in: slot, pin: pin.reveal())
        }
        do throws(PKCS11Error) {
            return (session, try privateKey(labelled: configuration.key, in: session))
        } catch {
            close(session)
            throw error
        }
    }

    fileprivate func publicKey(of key: UInt, in session: UInt) throws -> RSAPublicKey {
        try RSAPublicKey(
            modulus: try number(0x120, of: key, in: session),
            exponent: try number(0x122, of: key, in: session)
        )
    }
}

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

    /// Tries the PIN of a key's token, unless it was refused before.
    func attempt<Result>(
        _ location: PKCS11Key.Location,
        _ login: () throws(PKCS11Error) -> Result
    ) throws(PKCS11Error) -> Result {
        let (key, pin) = (location.configuration, location.pin)
        let attempt = Attempt(module: key.module, token: key.token, pin: pin)
        if let error = errors.withLock({ $0[attempt] }) { throw error }
        do throws(PKCS11Error) {
            return try login()
        } catch {
            if error.isRefusal { errors.withLock { $0[attempt] = error } }
            throw error
        }
    }
}
