import FleetToken
import Foundation
import HTTPTypes
import JOSE
import Logging
import NIOCore
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenMinting
@testable import TokenService

@Suite(.watchdog)
struct LoadedServiceTests {
    private func keyIDs(_ service: LoadedService) -> [String] {
        service.signers[.driver]?.publicKeys.map(\.keyID) ?? []
    }

    private func problems(_ current: CurrentService) -> [String] {
        current.shared.reloads.current.problems.map(\.message)
    }

    /// Loads, changes something, and loads again.
    private func reload(
        _ change: (KeySite) throws -> Void
    ) async throws -> (before: LoadedService, after: LoadedService, watched: [String]) {
        try await KeySite.with { site in
            try site.populate()
            let current = try await site.load()
            let (before, reloader) = (current.loaded, Reloader(current))
            try change(site)
            await reloader.request()
            return (before, current.loaded, Array(await reloader.watch.known.keys))
        }
    }

    @Test(arguments: [false, true])
    func `A reload keeps the limiters whose rates are unchanged, and others start anew`(isChanged: Bool) async throws {
        let (before, after, _) = try await reload { site in
            try site.configure { if isChanged { $0["limits"] = ["perUser": ["perMinute": 1, "burst": 1]] } }
        }
        #expect(after !== before)
        let (old, new) = (before.issuer.limits, after.issuer.limits)
        #expect((old.users === new.users) == !isChanged)
        #expect(new.users != nil)
        #expect(old.addresses === new.addresses)
    }

    @Test
    func `Each signature of a key on this machine waits for its turn`() async throws {
        try await KeySite.with { site in
            try site.populate()
            let current = try await site.load()
            func count() throws -> Double? {
                let page = try MetricsPage(current.shared.metrics.prometheus.page())
                return page.value("fleet_token_sign_queue_seconds_count", ["signer": "local"])
            }
            let before = try #require(try count())
            let scope = TokenScope.driver(vehicle: try ResourceID("v-1"))
            _ = try await current.loaded.issuer.minter.token(for: scope, for: "a")
            #expect(try count() == before + 1)
        }
    }

    @Test
    func `The audit trail goes on across reloads`() async throws {
        try await KeySite.with { site in
            try site.populate()
            let current = try await site.load()
            let before = current.loaded
            let line = Array(#"{"time":1}"#.utf8)
            try await before.audit.append(line)
            await Reloader(current).request()
            let after = current.loaded
            #expect(after !== before)
            // A request that began before the reload ends after it.
            try await after.audit.append(line)
            try await before.audit.append(line)
            let text = try Data(contentsOf: URL(fileURLWithPath: site.path("audit.jsonl")))
            #expect(AuditNumbers.faults(Array(text)) == [])
            #expect(text.count { $0 == 0x0A } == 4)
        }
    }

    @Test
    func `Another audit file → the reload succeeds, and the file takes effect at the next start`() async throws {
        let (_, after, _) = try await reload { site in
            try site.configure { $0["audit"] = ["file": site.path("other.jsonl")] }
        }
        #expect(after.configuration.audit.file?.hasSuffix("/other.jsonl") == true)
    }

    @Test(
        arguments: [true, false]
    )
    func `The files of a configuration are watched, also if it failed; those of the previous one until it succeeds`(
        isThere: Bool
    ) async throws {
        let (before, after, watched) = try await reload { site in
            if isThere { try site.write("new.json", try KeySite.account("key-2", key: 1)) }
            try site.configure { $0["kinds"] = ["driver": ["serviceAccount": site.path("new.json")]] }
        }
        #expect((after !== before) == isThere)
        #expect(keyIDs(after) == (isThere ? ["key-2"] : ["key-1"]))
        #expect(watched.contains { $0.hasSuffix("/new.json") })
        #expect(watched.contains { $0.hasSuffix("/driver.json") } == !isThere)
    }

    @Test
    func `A file that changes while it is loaded is loaded again`() async throws {
        try await KeySite.with { site in
            try site.populate()
            let current = try await site.load()
            let reloader = Reloader(current) { path in
                let fingerprint = FileFingerprint(of: path)
                if path.hasSuffix("/driver.json") {
                    // Whoever reads it from now on finds the new key.
                    #expect(throws: Never.self) {
                        try site.write("driver.json", try KeySite.account("key-2", key: 1))
                    }
                }
                return fingerprint
            }
            await reloader.request()
            #expect(keyIDs(current.loaded) == ["key-2"])
            let known = await reloader.watch.known
            #expect(known != FileSnapshot(of: known.keys))
        }
    }

    @Test
    func `A change of a file reads the files, and not the configuration`() async throws {
        try await KeySite.with { site in
            try site.populate()
            let current = try await site.load()
            let reloader = Reloader(current)
            try site.write("driver.json", try KeySite.account("key-2", key: 1))
            try site.write("tokend.yaml", Array("a: [".utf8))
            for _ in 0..<2 { await reloader.look() }
            #expect(keyIDs(current.loaded) == ["key-2"])
            #expect(problems(current) == [])
            await reloader.request()
            #expect(problems(current).map { $0.hasPrefix("Invalid YAML") } == [true])
            #expect(keyIDs(current.loaded) == ["key-2"])
        }
    }

    @Test
    func
        `A requested configuration whose files cannot be loaded is loaded once they can, unless another was requested`()
        async throws
    {
        for isReplaced in [false, true] {
            try await KeySite.with { site in
                try site.populate()
                let current = try await site.load()
                let reloader = Reloader(current)
                try site.configure { $0["kinds"] = ["driver": ["serviceAccount": site.path("new.json")]] }
                await reloader.request()
                #expect(problems(current).count == 1)
                if isReplaced {
                    try site.write("tokend.yaml", [])
                    await reloader.request()
                    #expect(problems(current).count == 1)
                }
                try site.write("new.json", try KeySite.account("key-2", key: 1))
                for _ in 0..<2 { await reloader.look() }
                #expect(problems(current) == (isReplaced ? ["The file is empty."] : []))
                #expect(keyIDs(current.loaded) == (isReplaced ? ["key-1"] : ["key-2"]))
            }
        }
    }

    @Test(arguments: [true, false])
    func `A reload changes the level of the log, unless an option has set it`(isFromConfiguration: Bool) async throws {
        try await KeySite.with { site in
            try site.populate()
            let level = LogLevel(.info)
            let current = try await site.load(logLevel: isFromConfiguration ? level : nil)
            try site.configure { $0["log"] = ["level": "debug"] }
            await Reloader(current).request()
            #expect(problems(current) == [])
            #expect(level.value == (isFromConfiguration ? .debug : .info))
        }
    }

    @Test
    func `Keys of an unavailable issuer outlive a reload`() async throws {
        try await KeySite.with { site in
            try site.populate()
            try site.configure { configuration in
                let issuer: [String: Any] = [
                    "issuer": "https://id.example", "audiences": ["tokend"], "algorithms": ["RS256"],
                    "keysUrl": "https://id.example/keys",
                ]
                configuration["callers"] = [
                    "backend": ["apiKeys": ["file": site.path("api-keys")]], "app": ["jwt": issuer],
                ]
            }
            let account = try ServiceAccount(json: try KeySite.account("issuer"))
            let document = try TokenMinter(signers: [.driver: LocalSigner(account)]).keys().encoded()
            let isUnavailable = Mutex(false)
            let keySets = FakeHTTP { _ in
                guard !isUnavailable.withLock({ $0 }) else { throw OutgoingError.failed("unavailable") }
                return OutgoingResponse(status: 200, body: Secret(document))
            }
            let current = try await site.load(http: keySets)
            #expect(await current.loaded.authenticator.jwts.prepare() == [])
            isUnavailable.withLock { $0 = true }
            let before = current.loaded
            await Reloader(current).request()
            let after = current.loaded
            #expect(after !== before)
            #expect(await after.authenticator.jwts.prepare() == [])
        }
    }
}
