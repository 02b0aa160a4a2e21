package import FleetToken
import JOSE
package import ServiceConfiguration
import Telemetry
import TokenMinting
package import TokenService

/// Promotes a kind's next key to its current key by moving their files, while services keep reading them.
package struct KeyPromotion: Sendable {
    private let files: KeyFileMove
    private let title: String

    /// Creates the promotion after checking that it is possible, and that the next key can sign for the same account.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - mode: The configuration.
    ///   - now: The wall clock.
    /// - Throws: ``ConfigurationError`` with the reason and an alternative.
    package init(of kind: TokenKind, in mode: ProductionMode, now: NumericDate = .now) async throws(ConfigurationError)
    {
        let path = "kinds.\(kind.rawValue)"
        guard let configuration = mode.configuration.kinds[kind] else {
            throw ConfigurationError("\(path) is not in the configuration.")
        }
        files = try KeyFileMove(path, configuration)
        let accounts = AccountReader()
        await accounts.open([configuration])
        let keys = SigningKeys([kind: configuration], at: now) { try accounts.localSigner($0) }
        guard keys.problems.isEmpty, let ring = keys.rings[kind], let next = ring.next else {
            throw ConfigurationError(problems: keys.problems)
        }
        do {
            try await ring.test(at: now)
        } catch {
            throw ConfigurationError("\(path): \(OperatorMessage(error))")
        }
        guard let former = ring.current.publicKeys.first?.keyID, let new = next.publicKeys.first?.keyID,
            !former.utf8.elementsEqual(new.utf8)
        else {
            throw ConfigurationError("\(path): \(files.next) contains the current key. Remove it.")
        }
        title = "\(path): the key \(new) signs; the key \(former) is only published."
    }

    /// What it does, one step per line.
    package var text: String {
        """
        \(title)
          \(files.current) becomes \(files.previous)
          \(files.next) becomes \(files.current)

        """
    }

    /// Moves the files.
    ///
    /// There is a current key at every moment. Run an interrupted promotion again to complete it.
    ///
    /// - Throws: ``ConfigurationError`` when the system refuses it.
    package func run() throws(ConfigurationError) { try files.run() }
}
