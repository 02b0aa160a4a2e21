package import FleetToken
import JOSE
package import Logging
package import ServiceSupport
import TokenIssuance
import TokenMinting

/// The service for a developer's own machine: every local user can get a token for any valid ID.
///
/// The safety conditions are checked here. It listens on loopback only, accepts this machine's names only, does not
/// start in a production environment, and signs with keys unknown to Google unless real ones are given.
package struct DevelopmentMode: Sendable {
    /// Environment variables that Kubernetes and Cloud Run set.
    static let productionVariables = ["KUBERNETES_SERVICE_HOST", "K_SERVICE", "CLOUD_RUN_JOB"]

    private let addresses: TokenDaemon.Addresses
    private let keysDirectory: String
    private let serviceAccounts: [TokenKind: String]

    /// Creates the mode after checking the settings.
    ///
    /// - Throws: ``OperatorError`` when it would not be harmless.
    package init(
        service: ListenAddress,
        admin: ListenAddress,
        keysDirectory: String,
        serviceAccounts: [TokenKind: String],
        environment: [String: String]
    ) throws(OperatorError) {
        guard service.isLoopback, admin.isLoopback else {
            throw OperatorError(
                "Development mode does not authenticate callers, so it listens on loopback only: use --host 127.0.0.1."
            )
        }
        if let variable = Self.productionVariables.first(where: { environment[$0] != nil }) {
            throw OperatorError(
                "\(variable) is set, so this is probably a production environment. Development mode does not authenticate callers and does not start here."
            )
        }
        addresses = .init(service: service, admin: admin)
        self.keysDirectory = keysDirectory
        self.serviceAccounts = serviceAccounts
    }

    /// Returns the service, with its keys read or created.
    ///
    /// - Throws: ``OperatorError`` if a key cannot be read or created.
    package func service(
        logger: Logger,
        logsPaths: Bool = false,
        clock: ServiceClock = .system,
        onReady: @escaping @Sendable (TokenDaemon.Addresses) -> Void = { _ in }
    ) async throws -> TokenDaemon {
        let shared = SharedResources(logger: logger, clock: clock)
        let signers = try signers(gates: shared.signing)
        let keys: @Sendable () async throws -> [UInt8] = { try await Self.keys(of: signers) }
        var recorder = shared.recorder
        recorder.cors = CORSPolicy(origins: nil)
        recorder.logsPaths = logsPaths
        let readiness = Readiness(shared.lifecycle)
        return TokenDaemon(
            addresses: addresses,
            responder: TokenResponder(
                issuer: issuer(signers, shared),
                recorder: recorder,
                readiness: readiness,
                hosts: .development,
                keys: keys,
                page: DevelopmentPage()
            ),
            keys: keys,
            readiness: { readiness },
            shared: shared,
            onReady: onReady
        )
    }

    /// Returns a pipeline that gives anyone a token for any valid ID.
    private func issuer(_ signers: [TokenKind: any TokenSigner], _ shared: SharedResources) -> TokenIssuer {
        TokenIssuer(
            authenticate: { _ in .anonymous },
            limits: .none,
            authorizer: GrantAuthorizer(grants: [.development]),
            minter: ReusingMinter(TokenMinter(signers: signers), clock: shared.clock),
            audit: nil,
            clock: shared.clock
        )
    }

    /// Returns a signer for every kind; missing keys are created on first use.
    private func signers(gates: SigningGates) throws -> [TokenKind: any TokenSigner] {
        let keys = DevelopmentKeys(directory: keysDirectory)
        if serviceAccounts.count < TokenKind.allCases.count { try keys.prepare() }
        return try TokenKind.allCases.reduce(into: [:]) { signers, kind in
            if let path = serviceAccounts[kind] {
                signers[kind] = LocalSigner(try account(at: path), gates: gates)
            } else if keys.hasKey(for: kind) {
                signers[kind] = LocalSigner(try keys.account(for: kind), gates: gates)
            } else {
                signers[kind] = DevelopmentSigner(for: kind, keys: keys, gates: gates)
            }
        }
    }

    private func account(at path: String) throws -> ServiceAccount {
        let json = try KeyFile.read(path)
        do {
            return try ServiceAccount(json: json)
        } catch {
            throw OperatorError("\(path): \(error)")
        }
    }

    /// Returns the public keys of all signers; those that have not been used yet create theirs.
    private static func keys(of signers: [TokenKind: any TokenSigner]) async throws -> [UInt8] {
        var known = signers
        for (kind, signer) in signers {
            if let signer = signer as? DevelopmentSigner { known[kind] = try await signer.signer() }
        }
        return try TokenMinter(signers: known).keys().encoded()
    }

    /// Returns the information for a developer when the service is ready.
    package func banner(_ addresses: TokenDaemon.Addresses) -> String {
        """
        Fleet Token is ready for development at http://\(addresses.service)

          curl http://\(addresses.service)/token/consumer/trip-1

        Open the address in a browser to see what a token says.
        \(warning)
        Health and metrics are at http://\(addresses.admin). Press Control-C to stop.

        """
    }

    private var warning: String {
        let real = TokenKind.allCases.filter { serviceAccounts[$0] != nil }.map(\.rawValue).joined(separator: ", ")
        return real.isEmpty
            ? """
            Google rejects these tokens: they are signed with development keys from \(keysDirectory).
            For valid tokens, use a real account: --service-account consumer=FILE
            """
            : """
            CAUTION: \(real) tokens are signed by real accounts, and every user of this machine can get them.
            Google rejects all others: they are signed with development keys from \(keysDirectory).
            """
    }
}
