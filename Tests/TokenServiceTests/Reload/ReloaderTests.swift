import FleetToken
import Foundation
import Logging
import Synchronization
import TestSupport
import TestTools
import Testing
import UnixSignals

@testable import ServiceSupport
@testable import TokenService

struct ReloaderTests {
    /// What a test's reloads return, one after the other, and a world with one file.
    private final class World: Reloadable {
        private struct State {
            var version = 1
            var outcomes: [[String]]
            var reloads: [ReloadTrigger] = []
            var ticks = 0
        }

        private let state: Mutex<State>

        private let beforeReload: @Sendable () async -> Void

        init(_ outcomes: [[String]], beforeReload: @escaping @Sendable () async -> Void = {}) {
            state = Mutex(State(outcomes: outcomes))
            self.beforeReload = beforeReload
        }

        var reloads: [ReloadTrigger] { state.withLock { $0.reloads } }
        var ticks: Int { state.withLock { $0.ticks } }
        func change() { state.withLock { $0.version += 1 } }
        func showState() { state.withLock { $0.ticks += 1 } }

        func snapshot(of paths: some Sequence<String>) -> FileSnapshot {
            let version = Int64(state.withLock { $0.version })
            return FileSnapshot(of: paths) { _ in
                .present(.init(device: 1, inode: 1, size: version, mode: 0, modified: 0, changed: 0))
            }
        }

        func reload(_ trigger: ReloadTrigger) async -> ReloadOutcome {
            await beforeReload()
            let problems = state.withLock { state in
                state.reloads.append(trigger)
                return state.outcomes.isEmpty ? [] : state.outcomes.removeFirst()
            }
            // A configuration that cannot be read says so first.
            let isUnread = problems.first?.hasPrefix("tokend.yaml") == true
            return ReloadOutcome(
                files: isUnread ? nil : snapshot(of: ["file"]),
                problems: problems.map { Problem($0) },
                hasRevoked: problems.contains("removed"),
                warnings: [Problem("a warning")],
                requiringRestart: ["service.listen"]
            )
        }
    }

    private enum Step {
        case look
        case request
        case change
    }

    private let status = ReloadStatus()
    private let prometheus = PrometheusMetrics()
    private let recorder = RecordedLog()

    private func reloader(of world: World, clock: ServiceClock = .stopped()) -> Reloader {
        Reloader(
            world,
            files: world.snapshot(of: ["file"]),
            status: status,
            metrics: ReloadMetrics(factory: prometheus),
            clock: clock,
            logger: recorder.logger
        )
    }

    /// Runs a reloader through some steps.
    private func run(_ steps: [Step], outcomes: [[String]] = []) async throws -> World {
        let world = World(outcomes)
        let reloader = reloader(of: world)
        for step in steps {
            switch step {
            case .look: await reloader.look()
            case .request: await reloader.request()
            case .change: world.change()
            }
        }
        return world
    }

    private var log: String { recorder.lines.map { "\($0.text)\n" }.joined() }

    @Test
    func `Without a change nothing is reloaded`() async throws {
        let world = try await run([.look, .look, .look])
        #expect(world.reloads == [] && world.ticks == 3)
        #expect(log == "")
    }

    @Test
    func `A change is reloaded once and logged`() async throws {
        #expect(try await run([.change, .look, .look, .look, .look]).reloads == [.tick])
        #expect(log.contains("Configuration reloaded"))
        #expect(log.contains("a warning"))
    }

    @Test
    func `A requested reload waits for no change and no look, and what depends on the time is done after it`()
        async throws
    {
        let world = try await run([.request])
        #expect(world.reloads == [.request] && world.ticks == 1)
        #expect(try await run([.change, .request, .look, .look, .look]).reloads == [.request])
    }

    @Test
    func `A failure is logged once and counted each time`() async throws {
        let world = try await run(
            [.request, .request, .request],
            outcomes: [["a: wrong"], ["a: wrong"], ["b: wrong"]]
        )
        #expect(world.reloads.count == 3)
        #expect(log.split(separator: "a: wrong").count == 2)
        #expect(log.split(separator: "b: wrong").count == 2)
        #expect(!log.contains("Configuration reloaded"))
        #expect(status.failure == "b: wrong")
        let page = try MetricsPage(prometheus.page())
        #expect(page.value("fleet_token_config_reload_total", ["result": "failed"]) == 3)
        #expect(page.value("fleet_token_config_reload_total", ["result": "loaded"]) == 0)
        #expect(page.value("fleet_token_config_last_reload_successful") == 0)
    }

    /// systemd sends it as soon as the service is ready.
    @Test(.watchdog)
    func `A signal before the reloader runs is not lost`() async {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        #expect(kill(getpid(), SIGHUP) == 0)
        let (reloads, reload) = AsyncStream.makeStream(of: Void.self)
        let world = World([]) { reload.finish() }
        let reloader = reloader(of: world, clock: TestClock(skippingSleepsUnder: 2).service)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await reloader.follow(signals) }
            group.addTask { await reloader.run() }
            for await _ in reloads {}
            group.cancelAll()
        }
    }

    @Test
    func `A success ends a failure; a failure leaves the settings that wait for the next start`() async throws {
        _ = try await run([.request, .request], outcomes: [["a: wrong"], []])
        #expect(try MetricsPage(prometheus.page()).value("fleet_token_config_last_reload_successful") == 1)
        #expect(status.failure == nil)
        #expect(status.requiringRestart == "service.listen")
        _ = try await run([.request], outcomes: [["a: wrong"]])
        #expect(status.requiringRestart == "service.listen")
        #expect(log.split(separator: "takes effect at the next start").count == 2)
    }

    @Test
    func `A failed reload is tried again after a while`() async throws {
        let looks = [Step](repeating: .look, count: Reloader.retryLooks)
        #expect(try await run([.request] + looks.dropLast(), outcomes: [["a"], ["a"]]).reloads == [.request])
        #expect(try await run([.request] + looks, outcomes: [["a"], ["a"]]).reloads == [.request, .tick])
        let twice = try await run([.request] + looks + looks, outcomes: [["a"], []])
        #expect(twice.reloads == [.request, .tick])
    }

    @Test
    func `A configuration that cannot be read is a failure until the next request, whatever files change`() async throws
    {
        let world = try await run(
            [.request, .change, .look, .look, .look, .look],
            outcomes: [["tokend.yaml: wrong"], []]
        )
        #expect(world.reloads == [.request, .tick])
        #expect(status.failure == "tokend.yaml: wrong")
        let page = try MetricsPage(prometheus.page())
        #expect(page.value("fleet_token_config_reload_total", ["result": "failed"]) == 2)
        #expect(page.value("fleet_token_config_reload_total", ["result": "loaded"]) == 0)
        #expect(log.split(separator: "tokend.yaml: wrong").count == 2)
        _ = try await run([.request])
        #expect(status.failure == nil)
    }

    @Test
    func `A file of a configuration that is not read any more is no failure after the next look`() async throws {
        let world = try await run(
            [.request, .request, .look, .look, .look, .look],
            outcomes: [["file: missing"], ["tokend.yaml: wrong"], []]
        )
        #expect(world.reloads == [.request, .request, .tick])
        #expect(status.failure == "tokend.yaml: wrong")
    }

    @Test
    func `Only a failed reload that revoked credentials says so, until a reload succeeds`() async throws {
        _ = try await run([.request, .request], outcomes: [["a: wrong"], ["removed"]])
        #expect(
            recorder.lines.map(\.message) == [
                "Reload failed: the last good configuration keeps serving.",
                "Reload failed: the last good configuration keeps serving, without the credentials that were removed.",
            ]
        )
        _ = try await run([.request, .request], outcomes: [[], ["b: wrong"]])
        #expect(recorder.lines.last?.message == "Reload failed: the last good configuration keeps serving.")
    }

    @Test(.watchdog, arguments: [false, true])
    func `Requests during a reload lead to one more, and looks to none`(isRequested: Bool) async {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (ended, ending) = AsyncStream.makeStream(of: Void.self)
        let world = World([]) {
            beginning.finish()
            for await _ in ended {}
        }
        let reloader = reloader(of: world)
        world.change()
        if !isRequested { await reloader.look() }
        async let first: Void = isRequested ? await reloader.request() : await reloader.look()
        for await _ in begun {}
        await reloader.request()
        await reloader.request()
        for _ in 0..<3 { await reloader.look() }
        ending.finish()
        await first
        for _ in 0..<3 { await reloader.look() }
        #expect(world.reloads == [isRequested ? .request : .tick, .request])
    }
}
