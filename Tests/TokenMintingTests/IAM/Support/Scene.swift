import FleetToken
import ServiceSupport
import TestSupport
import TokenMinting

/// A minter that signs with the fake Google.
struct Scene {
    /// How long a signature may take: the only sleep that does not end at once.
    static let limit: Double = 7

    let clock = Self.clock()
    let google: FakeGoogle
    let client: GoogleClient
    let minter: TokenMinter

    private let caller: ServiceAccount?

    init(caller: ServiceAccount? = nil) throws {
        self.caller = caller
        google = FakeGoogle(clock: clock, caller: caller)
        client = GoogleClient(http: google.http, clock: clock.service)
        minter = Accounts.minter(Self.signer(caller, client))
    }

    private static func signer(
        _ caller: ServiceAccount?,
        _ client: GoogleClient,
        gates: SigningGates? = nil
    ) -> IAMSigner {
        IAMSigner(
            account: FakeGoogle.account,
            credentials: caller,
            time: .seconds(limit),
            client: client,
            gates: gates
        )
    }

    /// Returns another signer for the same account.
    func signer(gates: SigningGates? = nil) -> IAMSigner { Self.signer(caller, client, gates: gates) }

    /// A clock on which retries don't wait.
    static func clock() -> TestClock { TestClock(at: 1_795_001_000, skippingSleepsUnder: limit) }

    /// What retries waited for, in seconds.
    var waits: [Double] { clock.sleeps.filter { $0 < Self.limit } }

    func mint(_ sample: KindSample = .driver) async throws -> MintedToken {
        try await minter.mint(try sample.scope(), now: clock.now)
    }

    /// The error that minting ends with; nil when it doesn't.
    func failure() async throws -> IAMError? {
        do {
            _ = try await mint()
            return nil
        } catch let error as IAMError {
            return error
        }
    }
}
