import Dispatch
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import ServiceSupport

/// The thread of the audit trail and of the log, and the threads that sign.
@Suite("Workers", .watchdog(seconds: 30))
struct WorkerTests {
    private func finish(_ worker: Worker) async {
        await withCheckedContinuation { continuation in worker.run { continuation.resume() } }
    }

    @Test("One thread runs jobs one after the other, in their order")
    func order() async {
        let worker = Worker()
        let numbers = Mutex<[Int]>([])
        for number in 0..<100 {
            worker.run { numbers.withLock { $0.append(number) } }
        }
        await finish(worker)
        #expect(numbers.withLock { $0 } == Array(0..<100))
    }

    @Test("Jobs behind one that hangs are accepted without waiting up to the limit, and later all run")
    func hangingJob() async {
        let worker = Worker(maximumJobs: 100)
        let (hangs, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ran = Atomic(0)
        worker.run {
            hangs.signal()
            gate.wait()
        }
        await onThread { hangs.wait() }
        for _ in 0..<100 { #expect(worker.run { ran.add(1, ordering: .relaxed) }) }
        #expect(!worker.run { ran.add(1, ordering: .relaxed) })
        gate.signal()
        while ran.load(ordering: .relaxed) < 100 { await Task.yield() }
        await finish(worker)
        #expect(ran.load(ordering: .relaxed) == 100)
    }

    @Test("Two jobs that come at once have two threads: one idle and one new, or both new", arguments: [true, false])
    func simultaneousJobs(hasIdle: Bool) async {
        for _ in 0..<500 {
            let worker = Worker(threads: 2)
            if hasIdle { await finish(worker) }
            let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let met = await withTaskGroup(of: Bool.self) { group in
                for (mine, other) in [(first, second), (second, first)] {
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            worker.run {
                                mine.signal()
                                continuation.resume(returning: other.wait(timeout: .now() + 10) == .success)
                            }
                        }
                    }
                }
                return await group.allSatisfy { $0 }
            }
            #expect(met)
        }
    }

    @Test("As many jobs run at once as there are threads, and each job once", arguments: [1, 3])
    func severalThreads(threads: Int) async {
        let worker = Worker(threads: threads)
        let running = Atomic(0)
        let most = Atomic(0)
        let done = Atomic(0)
        // Each of the first jobs waits until all threads have one.
        for number in 0..<1_000 {
            worker.run {
                let now = running.add(1, ordering: .relaxed).newValue
                most.max(now, ordering: .relaxed)
                while number < threads, most.load(ordering: .relaxed) < threads {}
                running.subtract(1, ordering: .relaxed)
                done.add(1, ordering: .relaxed)
            }
            // So that threads become idle now and then.
            if number.isMultiple(of: 100) { await Task.yield() }
        }
        while done.load(ordering: .relaxed) < 1_000 { await Task.yield() }
        #expect(most.load(ordering: .relaxed) == threads)
    }

    @Test("The threads end with the worker, after its jobs, and release what these hold", arguments: [1, 2])
    func end(threads: Int) async {
        final class Held: Sendable {
            let onEnd: @Sendable () -> Void
            init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
            deinit { onEnd() }
        }
        await withCheckedContinuation { continuation in
            let held = Held { continuation.resume() }
            Worker(threads: threads).run { withExtendedLifetime(held) {} }
        }
    }
}
