import FleetToken
import Foundation
import Logging
import Synchronization
import TestSupport
import TestTools
import Testing
import UnixSignals

@testable import ServiceSupport
@testable import TokenMinting
@testable import TokenService

@Suite(.watchdog)
struct ReloaderTests {
    /// A service, its files and its reloader.
    private struct Scene {
        let site: KeySite
        let service: CurrentService
        let reloader: Reloader

        var status: ReloadStatus.State { service.shared.reloads.current }

        /// What is wrong, in one line each.
        var problems: [String] { status.problems.map(\.description) }

        /// The numbers of reloads that succeeded and that failed.
        var reloads: [Double?] {
            ["loaded", "failed"].map { metric("fleet_token_config_reload_total", ["result": $0]) }
        }

        func metric(_ name: String, _ labels: [String: String] = [:]) -> Double? {
            (try? MetricsPage(service.shared.metrics.prometheus.page()))?.value(name, labels)
        }

        func look(_ times: Int = 1) async {
            for _ in 0..<times { await reloader.look() }
        }

        /// Replaces the file of API keys by another with these lines.
        func writeAPIKeys(_ lines: String = TestAPIKey.line) throws {
            try site.write("api-keys", Array(lines.utf8))
        }
    }

    private let recorder = RecordedLog()

    private var log: String { recorder.lines.map { "\($0.text)\n" }.joined() }

    /// Runs a test with a service that was just started.
    private func withScene(
        http: any OutgoingHTTP = NoNetwork(),
        fingerprint: @escaping @Sendable (String) -> FileFingerprint = { FileFingerprint(of: $0) },
        prepare: (KeySite) throws -> Void = { _ in },
        _ body: (Scene) async throws -> Void
    ) async throws {
        try await KeySite.with { site in
            try site.populate()
            try prepare(site)
            let service = try await site.load(http: http, logger: recorder.logger)
            try await body(Scene(site: site, service: service, reloader: Reloader(service, fingerprint: fingerprint)))
        }
    }

    @Test
    func `Without a change nothing is reloaded, and a look shows what is in use`() async throws {
        try await withScene { scene in
            await scene.look(3)
            #expect(scene.reloads == [0, 0])
            #expect(scene.metric("fleet_token_key_info", ["kind": "driver", "kid": "key-1"]) == 1)
            #expect(log == "")
        }
    }

    @Test
    func `A change is reloaded once and logged`() async throws {
        try await withScene { scene in
            try scene.writeAPIKeys("# none\n")
            await scene.look(4)
            #expect(scene.reloads == [1, 0])
            #expect(log.contains("Configuration reloaded"))
            #expect(log.contains("api-keys has no keys"))
        }
    }

    @Test
    func `A requested reload waits for no change and no look, and what is in use is shown after it`() async throws {
        try await withScene { scene in
            await scene.reloader.request()
            #expect(scene.reloads == [1, 0])
            #expect(scene.metric("fleet_token_key_info", ["kind": "driver", "kid": "key-1"]) == 1)
            try scene.writeAPIKeys()
            await scene.reloader.request()
            await scene.look(3)
            #expect(scene.reloads == [2, 0])
        }
    }

    @Test
    func `A failure is logged once and counted each time`() async throws {
        try await withScene { scene in
            try scene.site.remove("driver.json")
            await scene.reloader.request()
            await scene.reloader.request()
            try scene.site.write("driver.json", Array("{}".utf8))
            await scene.reloader.request()
            #expect(log.split(separator: "no such file").count == 2)
            #expect(log.split(separator: "is missing").count == 2)
            #expect(!log.contains("Configuration reloaded"))
            #expect(scene.problems.count == 1 && scene.problems.first?.contains("is missing") == true)
            #expect(scene.reloads == [0, 3])
            #expect(scene.metric("fleet_token_config_last_reload_successful") == 0)
        }
    }

    /// systemd sends it as soon as the service is ready.
    @Test
    func `A signal before the reloader runs is not lost`() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        #expect(kill(getpid(), SIGHUP) == 0)
        let (reloads, reload) = AsyncStream.makeStream(of: Void.self)
        let fingerprint = { @Sendable (path: String) in
            reload.finish()
            return FileFingerprint(of: path)
        }
        try await withScene(fingerprint: fingerprint) { scene in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await scene.reloader.follow(signals) }
                for await _ in reloads {}
                group.cancelAll()
            }
        }
    }

    @Test
    func `A success ends a failure; a failure leaves the settings that wait for the next start`() async throws {
        try await withScene { scene in
            try scene.site.remove("driver.json")
            await scene.reloader.request()
            try scene.site.populate()
            try scene.site.configure { $0["service"] = ["listen": "127.0.0.1:0", "drain": "5s"] }
            await scene.reloader.request()
            #expect(scene.metric("fleet_token_config_last_reload_successful") == 1)
            #expect(scene.problems == [])
            #expect(scene.status.requiringRestart == ["service.drain"])
            try scene.site.remove("driver.json")
            await scene.reloader.request()
            #expect(scene.problems.count == 1)
            #expect(scene.status.requiringRestart == ["service.drain"])
            #expect(log.split(separator: "takes effect at the next start").count == 2)
        }
    }

    @Test
    func `A failed reload is tried again after a while`() async throws {
        let prepare = { (site: KeySite) in
            try FileManager.default.createDirectory(atPath: site.path("keys"), withIntermediateDirectories: false)
            try site.write("keys/driver.json", try KeySite.account("key-1"))
            try site.configure { $0["kinds"] = ["driver": ["serviceAccount": site.path("keys/driver.json")]] }
        }
        try await withScene(prepare: prepare) { scene in
            // A cause that no file shows.
            #expect(chmod(scene.site.path("keys"), 0o777) == 0)
            await scene.reloader.request()
            await scene.look(Reloader.retryLooks - 1)
            #expect(scene.reloads == [0, 1])
            await scene.look()
            #expect(scene.reloads == [0, 2])
            #expect(chmod(scene.site.path("keys"), 0o700) == 0)
            await scene.look(Reloader.retryLooks)
            #expect(scene.reloads == [1, 2])
            await scene.look(Reloader.retryLooks)
            #expect(scene.reloads == [1, 2])
        }
    }

    @Test
    func `A configuration that cannot be read is a failure until the next request, whatever files change`() async throws
    {
        try await withScene { scene in
            try scene.site.write("tokend.yaml", Array("a: [".utf8))
            await scene.reloader.request()
            try scene.writeAPIKeys("# none\n")
            let before = scene.service.loaded
            await scene.look(4)
            #expect(scene.service.loaded !== before)
            #expect(scene.problems.count == 1 && scene.problems.first?.contains("Invalid YAML") == true)
            #expect(scene.reloads == [0, 2])
            #expect(log.split(separator: "Invalid YAML").count == 2)
            try scene.site.configure()
            await scene.reloader.request()
            #expect(scene.problems == [])
        }
    }

    @Test
    func `A file of a configuration that is not read any more is no failure`() async throws {
        try await withScene { scene in
            try scene.site.configure { $0["kinds"] = ["driver": ["serviceAccount": scene.site.path("new.json")]] }
            await scene.reloader.request()
            #expect(scene.problems.count == 1 && scene.problems.first?.contains("new.json") == true)
            try scene.site.write("tokend.yaml", Array("a: [".utf8))
            await scene.reloader.request()
            #expect(scene.problems.count == 1 && scene.problems.first?.contains("Invalid YAML") == true)
            await scene.look(4)
            #expect(scene.reloads == [0, 2])
        }
    }

    @Test
    func `Only a failed reload that revoked credentials says so, until a reload succeeds`() async throws {
        try await withScene { scene in
            var messages: [String] { recorder.lines.map(\.message).filter { $0.hasPrefix("Reload failed") } }
            try scene.site.remove("driver.json")
            await scene.reloader.request()
            try scene.site.write("driver.json", Array("{}".utf8))
            try scene.writeAPIKeys("# none\n")
            await scene.reloader.request()
            #expect(
                messages == [
                    "Reload failed: the last good configuration keeps serving.",
                    "Reload failed: the last good configuration keeps serving, without the credentials that were removed.",
                ]
            )
            #expect(log.contains("A credential was revoked. callers.backend: the API key"))
            try scene.site.populate()
            await scene.reloader.request()
            try scene.site.remove("driver.json")
            await scene.reloader.request()
            #expect(messages.last == "Reload failed: the last good configuration keeps serving.")
        }
    }

    @Test(arguments: [false, true])
    func `Requests during a reload lead to one more, and looks to none`(isRequested: Bool) async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (ended, ending) = AsyncStream.makeStream(of: Void.self)
        let isStarted = Mutex(false)
        // Each reload requests a signature from Google.
        let http = FakeHTTP { request in
            guard request.url.hasSuffix(":signJwt") else {
                let token = #"{"access_token": "t", "expires_in": 3600, "token_type": "Bearer"}"#
                return OutgoingResponse(status: 200, headers: ["metadata-flavor": "Google"], body: Secret(token.utf8))
            }
            if isStarted.withLock({ $0 }) {
                beginning.finish()
                for await _ in ended {}
            }
            return OutgoingResponse(status: 403, body: Secret([]))
        }
        let account = "driver@my-project.iam.gserviceaccount.com"
        let prepare = { (site: KeySite) in _ = try site.configure { $0["kinds"] = ["driver": ["iam": account]] } }
        try await withScene(http: http, prepare: prepare) { scene in
            isStarted.withLock { $0 = true }
            try scene.writeAPIKeys()
            if !isRequested { await scene.look() }
            async let first: Void = isRequested ? await scene.reloader.request() : await scene.look()
            for await _ in begun {}
            try scene.site.configure {
                $0["kinds"] = ["driver": ["iam": account]]
                $0["log"] = ["level": "debug"]
            }
            await scene.reloader.request()
            await scene.reloader.request()
            await scene.look(3)
            #expect(scene.reloads == [0, 0])
            ending.finish()
            await first
            await scene.look(3)
            #expect(scene.reloads == [2, 0])
            #expect(scene.service.loaded.configuration.logLevel == .debug)
        }
    }
}
