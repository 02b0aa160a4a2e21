import FleetToken
import JOSE
import Synchronization
import TestSupport
import TestTools
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenService

/// A replica that never had the keys of its issuers does not take the place of one that has them.
@Suite(.watchdog)
final class IssuerReadinessTests: Sendable {
    private static let day: Double = 86_400

    /// The names of the issuers that publish keys now; the others do not respond.
    private let present = Mutex<Set<String>>([])
    private let clock = TestClock()

    /// Loads a service whose callers are the users of some issuers, and a backend.
    private func service(_ issuers: [String], _ body: (KeySite, CurrentService) async throws -> Void) async throws {
        let account = try ServiceAccount(json: try KeySite.account("issuer"))
        let keys = try TokenMinter(signers: [.driver: LocalSigner(account)]).keys().encoded()
        let keySets = FakeHTTP { [self] request in
            let isPresent = present.withLock { $0.contains { request.url.contains("//\($0).example/") } }
            guard isPresent else { throw OutgoingError.failed("away") }
            return OutgoingResponse(status: 200, body: Secret(keys))
        }
        try await KeySite.with { site in
            try site.populate()
            try configure(site, issuers)
            try await body(site, try await site.load(http: keySets, clock: clock.service))
        }
    }

    private func configure(_ site: KeySite, _ issuers: [String]) throws {
        try site.configure { configuration in
            var callers: [String: Any] = ["backend": ["apiKeys": ["file": site.path("api-keys")]]]
            for name in issuers {
                let url = "https://\(name).example"
                let issuer: [String: Any] = [
                    "issuer": url, "audiences": ["tokend"], "algorithms": ["RS256"], "keysUrl": "\(url)/keys",
                ]
                callers[name] = ["jwt": issuer]
            }
            configuration["callers"] = callers
        }
    }

    /// Lets issuers publish keys, and the service fetch what it lacks once a former failure no longer delays it.
    private func publish(_ names: Set<String>, _ current: CurrentService) async {
        present.withLock { $0 = names }
        clock.advance(by: 120)
        await current.fetchIssuersKeys()
    }

    private func report(_ current: CurrentService) async -> (isReady: Bool, text: String) {
        let report = await current.loaded.readiness.report()
        return (report.state == .ok, report.text)
    }

    @Test
    func `Before the keys of all issuers have been fetched → not ready, and the missing issuer is named`() async throws
    {
        try await service(["one", "two"]) { _, current in
            #expect(await report(current).isReady == false)
            await publish(["one"], current)
            let lacking = await report(current)
            #expect(!lacking.isReady)
            #expect(lacking.text.contains("[+]issuer one ok\n[-]issuer two failed: its keys cannot be fetched"))
            await publish(["one", "two"], current)
            let complete = await report(current)
            #expect(complete.isReady)
            #expect(complete.text.contains("[+]issuer one ok\n[+]issuer two ok\n"))
        }
    }

    @Test
    func `The keys have been there, and have become too old → ready, and reported`() async throws {
        try await service(["one"]) { _, current in
            await publish(["one"], current)
            clock.advance(by: Self.day)
            await publish([], current)
            let after = await report(current)
            #expect(after.isReady)
            #expect(after.text.contains("[-]issuer one failed: "))
        }
    }

    @Test
    func `A reload adds an issuer that is unavailable → ready, and reported`() async throws {
        try await service(["one"]) { site, current in
            await publish(["one"], current)
            try configure(site, ["one", "new"])
            await Reloader(current).request()
            #expect(current.shared.reloads.current.problems == [])
            await publish(["one"], current)
            let after = await report(current)
            #expect(after.isReady)
            #expect(after.text.contains("[-]issuer new failed: "))
        }
    }

    @Test
    func `A reload before the keys have been fetched → still not ready`() async throws {
        try await service(["one"]) { _, current in
            await publish([], current)
            await Reloader(current).request()
            #expect(current.shared.reloads.current.problems == [])
            #expect(await report(current).isReady == false)
        }
    }
}
