import FleetToken
import Logging
import Synchronization
import TokenMinting

/// The signing test of the keys in use, which is repeated until all have signed.
final class KeyTest: Sendable {
    let signers: [TokenKind: any TokenSigner]
    private let last: Mutex<[String]>

    /// Creates the test of keys of which some did not sign when they were loaded.
    init(_ signers: [TokenKind: any TokenSigner], failing: [String] = []) {
        self.signers = signers
        last = Mutex(failing)
    }

    /// The kinds whose keys did not sign in the last test.
    var failing: [String] { last.withLock { $0 } }

    /// Tests the keys again unless all have signed.
    func repeatIfFailing(at now: NumericDate, logger: Logger) async {
        guard !failing.isEmpty else { return }
        let test = await SigningTest(of: signers, at: now)
        for problem in test.problems + test.outages {
            logger.error("A key failed the signing test.", metadata: ["problem": "\(problem)"])
        }
        last.withLock { $0 = test.failing }
    }
}
