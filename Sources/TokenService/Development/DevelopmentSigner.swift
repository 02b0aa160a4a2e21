import FleetToken
import JOSE
import Synchronization
import TokenMinting

/// Signs with a development key that is created on first use, so that the service starts at once.
final class DevelopmentSigner: TokenSigner {
    let issuer: String
    private let create: @Sendable () throws -> LocalSigner
    /// The key, or its creation in progress, which concurrent callers share.
    private let key = Mutex<Task<LocalSigner, any Error>?>(nil)

    init(for kind: TokenKind, keys: DevelopmentKeys, pool: SigningPool) {
        issuer = DevelopmentKeys.email(of: kind)
        create = { LocalSigner(try keys.account(for: kind), pool: pool) }
    }

    /// None: the ``signer()`` has them.
    var publicKeys: [JWK] { [] }

    var isRemote: Bool { false }

    func sign(payload: [UInt8], for caller: String?) async throws -> SignedToken {
        try await signer().sign(payload: payload, for: caller)
    }

    /// Returns the signer with the key, which is created if it does not exist.
    func signer() async throws -> LocalSigner {
        let task = key.withLock { key in
            // Detached: it must not block the thread of a connection, nor end with its request.
            let task = key ?? Task.detached { [create] in try create() }
            key = task
            return task
        }
        do {
            return try await task.value
        } catch {
            // The next request tries again.
            key.withLock { $0 = nil }
            throw error
        }
    }
}
