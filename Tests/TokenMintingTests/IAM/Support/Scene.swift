import FleetToken
import TokenMinting

/// A minter that signs with the fake Google.
struct Scene {
    let time: FakeTime
    let google: FakeGoogle
    let client: GoogleClient
    let signer: IAMSigner
    let minter: TokenMinter

    init(caller: ServiceAccount? = nil) throws {
        time = FakeTime()
        google = FakeGoogle(time: time, caller: caller)
        client = GoogleClient(http: google.http, time: time.time)
        signer = try IAMSigner(
            account: FakeGoogle.account,
            credentials: caller.map { .serviceAccount($0) } ?? .metadataServer,
            timeout: FakeTime.limit,
            client: client
        )
        minter = Accounts.minter(signer)
    }

    func mint(_ sample: KindSample = .driver) async throws -> MintedToken {
        try await minter.mint(try sample.scope(), now: time.date)
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
