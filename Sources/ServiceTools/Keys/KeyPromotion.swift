package import FleetToken
import JOSE
import ServiceConfiguration
package import ServiceSupport
import StrictCoding
import TokenMinting
package import TokenService

/// Promotes a kind's next key to its current key by moving their files, while services keep reading them.
package struct KeyPromotion: Sendable {
    /// The longest that a token lives after its key stopped to sign, on clocks that differ by a minute: in seconds.
    private static let lifetime: Int64 = 3_660

    private let files: KeyFileMove
    private let path: String
    private let keys: (new: String, former: String)

    /// Creates the promotion after checking that it is possible, and that the next key can sign for the same account.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - mode: The configuration.
    ///   - discardsPrevious: Whether a previous key is replaced even while tokens that it signed may live.
    ///   - now: The wall clock.
    /// - Throws: ``ConfigurationError`` with the reason and an alternative.
    package init(
        of kind: TokenKind,
        in mode: ProductionMode,
        discardsPrevious: Bool = false,
        now: NumericDate = .now
    ) async throws(ConfigurationError) {
        path = "kinds.\(kind.rawValue)"
        guard let configuration = mode.configuration.kinds[kind] else {
            throw ConfigurationError("\(path) is not in the configuration.")
        }
        files = try KeyFileMove(path, configuration)
        if !discardsPrevious, let since = files.previousSince, now - since < Self.lifetime {
            let minutes = (Self.lifetime - max(0, now - since) + 59) / 60
            throw ConfigurationError(
                "\(files.previous) was put there less than an hour ago, and tokens that its key signed may live for another \(minutes) minutes. Promote then, or replace it now with --discard-previous: verifiers that use this service's key set then refuse those tokens."
            )
        }
        let accounts = AccountReader()
        await accounts.open([configuration])
        let rings = SigningKeys([kind: configuration], at: now) { try accounts.localSigner($0) }
        guard rings.problems.isEmpty, let ring = rings.rings[kind], let next = ring.next else {
            throw ConfigurationError(problems: rings.problems)
        }
        do {
            try await ring.test(at: now)
        } catch {
            throw ConfigurationError("\(path): \(OperatorMessage(error))")
        }
        guard let former = ring.current.publicKeys.first?.keyID, let new = next.publicKeys.first?.keyID,
            !former.hasSameBytes(as: new)
        else {
            throw ConfigurationError("\(path): \(files.next) contains the current key. Remove it.")
        }
        keys = (new, former)
    }

    /// Checks that this user can move the files.
    ///
    /// - Throws: ``ConfigurationError`` that says why not, and what to do instead.
    package func checkPlaces() throws(ConfigurationError) { try files.checkPlaces() }

    /// What it does, or would do, a line each.
    package func text(isDryRun: Bool) -> String {
        let (signs, stays, becomes) =
            isDryRun
            ? ("would sign", "would only be published", "would become") : ("signs", "is only published", "becomes")
        return """
            \(path): the key \(keys.new) \(signs); the key \(keys.former) \(stays).
              \(files.current) \(becomes) \(files.previous)
              \(files.next) \(becomes) \(files.current)

            """
    }

    /// Moves the files.
    ///
    /// There is a current key at every moment. Run an interrupted promotion again to complete it.
    ///
    /// - Throws: ``ConfigurationError`` when the system refuses it.
    package func run() throws(ConfigurationError) { try files.run() }
}
