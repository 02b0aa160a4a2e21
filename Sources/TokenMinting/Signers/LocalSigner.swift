import FleetToken
package import JOSE
import NIOPosix
import ServiceSupport

/// Signs with a key in memory.
package final class LocalSigner: TokenSigner {
    private let account: ServiceAccount
    /// The header in base64url, the same for all tokens.
    private let header: [UInt8]
    private let jwk: JWK
    package let gate: FairGate?

    /// Creates a signer; keys in this process share a gate.
    package init(_ account: ServiceAccount, gates: SigningGates? = nil) {
        self.account = account
        header = Base64URL.encode(JWSHeader.encoded(keyID: account.keyID))
        jwk = account.jwk
        gate = gates?.local
    }

    /// The account's e-mail address.
    package var issuer: String { account.email }

    /// The public key under the account's key ID.
    package var publicKeys: [JWK] { [jwk] }

    /// False: the token is assembled here, and libcrypto checks each RSA signature that it makes, because a faulty one
    /// could reveal the key.
    package var isRemote: Bool { false }

    /// Signs on a thread for what blocks: on the one that serves a request, a signature would delay all its other requests.
    package func sign(payload: [UInt8]) async throws -> SignedToken {
        try await NIOThreadPool.singleton.runIfActive { try self.signNow(payload: payload) }
    }

    /// Signs on the current thread.
    package func signNow(payload: [UInt8]) throws(JOSEError) -> SignedToken {
        let message = CompactJWS.signingInput(payload: payload, encodedHeader: header)
        let signature = try account.key.signature(for: message)
        return SignedToken(token: Secret(CompactJWS.token(message, signature: signature)), jwk: jwk)
    }
}

extension SigningGates {
    /// The gate of all keys in this process.
    ///
    /// Two slots per thread, so a thread never waits for the next signature. A signature takes 250 microseconds on an
    /// x86-64 core at 3 GHz.
    package var local: FairGate {
        gate("local", slots: 2 * ServiceThreads.count, duration: .microseconds(500))
    }
}
