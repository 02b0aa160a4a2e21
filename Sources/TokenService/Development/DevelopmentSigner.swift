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
    private let created = Mutex<LocalSigner?>(nil)

    init(for kind: TokenKind, keys: DevelopmentKeys, queue: SigningQueue) {
        issuer = DevelopmentKeys.email(of: kind)
        create = { LocalSigner(try keys.account(for: kind), queue: queue) }
    }

    var publicKeys: [JWK] { created.withLock { $0 }?.publicKeys ?? [] }

    var isRemote: Bool { false }

    /// Creates the key, if it does not exist.
    func prepare() async throws { _ = try await signer() }

    func sign(payload: [UInt8], for caller: String?) async throws -> SignedToken {
        try await signer().sign(payload: payload, for: caller)
    }

    private func signer() async throws -> LocalSigner {
        let task = key.withLock { key in
            // Detached: it must not block the thread of a connection, nor end with its request.
            if key == nil { key = Task.detached { [create] in try create() } }
            return key
        }
        do {
            let signer = try await task?.value
            created.withLock { $0 = signer }
            guard let signer else { throw CancellationError() }
            return signer
        } catch {
            // The next request tries again.
            key.withLock { $0 = nil }
            throw error
        }
    }
}
