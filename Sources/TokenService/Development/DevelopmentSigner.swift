import FleetToken
import JOSE
import NIOPosix
import Synchronization
import TokenMinting

/// Signs with a development key that is created on first use, so that the service starts at once.
final class DevelopmentSigner: TokenSigner {
    let issuer: String
    let gate: FairGate?
    private let create: @Sendable () throws -> LocalSigner
    /// The key, or its creation in progress, which concurrent callers share.
    private let key = Mutex<Task<LocalSigner, any Error>?>(nil)

    init(for kind: TokenKind, keys: DevelopmentKeys, gates: SigningGates) {
        issuer = DevelopmentKeys.email(of: kind)
        gate = gates.local
        create = { LocalSigner(try keys.account(for: kind), gates: gates) }
    }

    /// None: the ``signer()`` has them.
    var publicKeys: [JWK] { [] }

    var isRemote: Bool { false }

    func sign(payload: [UInt8]) async throws -> SignedToken {
        try await signer().sign(payload: payload)
    }

    /// Returns the signer with the key, which is created if it does not exist.
    func signer() async throws -> LocalSigner {
        let task = key.withLock { key in
            // A task of its own, which does not end with its request.
            let task = key ?? Task { [create] in try await NIOThreadPool.singleton.runIfActive(create) }
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
