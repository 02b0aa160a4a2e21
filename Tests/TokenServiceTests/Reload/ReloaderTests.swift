import FleetToken
import Foundation
import Logging
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenService

struct ReloaderTests {
    /// What a test's reloads return, one after the other, and a world with one file.
    private final class World: Sendable {
        private struct State {
            var version = 1
            var outcomes: [[String]]
            var reloads = 0
            var ticks = 0
        }

        private let state: Mutex<State>

        init(_ outcomes: [[String]]) {
            state = Mutex(State(outcomes: outcomes))
        }

        var reloads: Int { state.withLock { $0.reloads } }
        var ticks: Int { state.withLock { $0.ticks } }
        func change() { state.withLock { $0.version += 1 } }
        func tick() { state.withLock { $0.ticks += 1 } }

        func look() -> FileFingerprint {
            let version = state.withLock { $0.version }
            return .present(.init(device: 1, inode: 1, size: Int64(version), mode: 0, modified: 0, changed: 0))
        }

        func reload() -> ReloadOutcome {
            let problems = state.withLock { state in
                state.reloads += 1
                return state.outcomes.isEmpty ? [] : state.outcomes.removeFirst()
            }
            return ReloadOutcome(
                files: FileSnapshot(of: ["file"]) { _ in look() },
                problems: problems.map { Problem($0) },
                warnings: [Problem("a warning")],
                forTheNextStart: ["service.listen"]
            )
        }
    }

    private enum Step {
        case tick
        case request
        case change
    }

    private let status = ReloadStatus()
    private let metrics = ServiceMetrics()
    private let recorder = RecordedLog()

    /// Runs a reloader through some steps.
    private func run(_ steps: [Step], outcomes: [[String]] = []) async throws -> World {
        let world = World(outcomes)
        let reloader = Reloader(
            files: FileSnapshot(of: ["file"]) { _ in world.look() },
            look: { _ in world.look() },
            triggers: { continuation in
                for step in steps {
                    switch step {
                    case .tick: continuation.yield(.tick)
                    case .request: continuation.yield(.request)
                    // It comes first, so that whatever is triggered comes after it.
                    case .change: world.change()
                    }
                }
            },
            reload: { world.reload() },
            onTick: { world.tick() },
            status: status,
            clock: .stopped(),
            metrics: metrics,
            logger: recorder.logger
        )
        await reloader.run()
        return world
    }

    private var log: String { recorder.lines.map { "\($0.text)\n" }.joined() }

    @Test
    func `Without a change nothing is reloaded`() async throws {
        let world = try await run([.tick, .tick, .tick])
        #expect(world.reloads == 0 && world.ticks == 3)
        #expect(log == "")
    }

    @Test
    func `A change is reloaded once and logged`() async throws {
        #expect(try await run([.change, .tick, .tick, .tick, .tick]).reloads == 1)
        #expect(log.contains("Configuration reloaded"))
        #expect(log.contains("a warning"))
    }

    @Test
    func `A requested reload does not wait for a change, and what depends on the time is done before and after it`()
        async throws
    {
        let world = try await run([.request])
        #expect(world.reloads == 1 && world.ticks == 2)
        #expect(try await run([.change, .request, .tick, .tick]).reloads == 1)
    }

    @Test
    func `A failure is logged once and counted each time`() async throws {
        let world = try await run(
            [.request, .request, .request],
            outcomes: [["a: wrong"], ["a: wrong"], ["b: wrong"]]
        )
        #expect(world.reloads == 3)
        #expect(log.split(separator: "a: wrong").count == 2)
        #expect(log.split(separator: "b: wrong").count == 2)
        #expect(!log.contains("Configuration reloaded"))
        #expect(status.failure == "b: wrong")
        let page = try ExpositionText(metrics.registry.render())
        #expect(page.value("fleet_token_config_reload_total", ["result": "failed"]) == 3)
        #expect(page.value("fleet_token_config_reload_total", ["result": "loaded"]) == 0)
    }

    /// systemd sends it as soon as the service is ready.
    @Test(.watchdog)
    func `A signal before the reloader runs is not lost`() async {
        let triggers = await Reloader.system(clock: .system)
        #expect(kill(getpid(), SIGHUP) == 0)
        let (stream, continuation) = AsyncStream.makeStream(of: ReloadTrigger.self)
        let task = Task { await triggers(continuation) }
        #expect(await stream.first { $0 == .request } == .request)
        task.cancel()
    }

    @Test
    func `A success ends a failure; a failure leaves the settings that wait for the next start`() async throws {
        _ = try await run([.request, .request], outcomes: [["a: wrong"], []])
        #expect(status.failure == nil)
        #expect(status.forTheNextStart == "service.listen")
        _ = try await run([.request], outcomes: [["a: wrong"]])
        #expect(status.forTheNextStart == "service.listen")
        #expect(log.split(separator: "takes effect at the next start").count == 2)
        let page = try ExpositionText(metrics.registry.render())
        #expect(page.value("fleet_token_config_last_reload_success_timestamp_seconds") == 1_800_000_000)
    }

    @Test
    func `A failed reload is tried again after a while`() async throws {
        let patience = [Step](repeating: .tick, count: Reloader.patience)
        #expect(try await run([.request] + patience.dropLast(), outcomes: [["a"], ["a"]]).reloads == 1)
        #expect(try await run([.request] + patience, outcomes: [["a"], ["a"]]).reloads == 2)
        #expect(try await run([.request] + patience + patience, outcomes: [["a"], []]).reloads == 2)
    }
}
