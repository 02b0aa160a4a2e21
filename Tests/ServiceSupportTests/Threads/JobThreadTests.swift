import Dispatch
import Synchronization
import TestTraits
import Testing

@testable import ServiceSupport

struct JobThreadTests {
    @Test(.watchdog)
    func jobsRunOneAfterTheOtherInTheirOrder() async {
        let thread = JobThread()
        let numbers = Mutex<[Int]>([])
        for number in 0..<100 {
            thread.run { numbers.withLock { $0.append(number) } }
        }
        await withCheckedContinuation { continuation in thread.run { continuation.resume() } }
        #expect(numbers.withLock { $0 } == Array(0..<100))
    }

    @Test(.watchdog)
    func handingInDoesNotWaitForAJobThatHangs() async {
        let thread = JobThread()
        let gate = DispatchSemaphore(value: 0)
        thread.run { gate.wait() }
        for _ in 0..<100 { thread.run {} }
        gate.signal()
        await withCheckedContinuation { continuation in thread.run { continuation.resume() } }
    }

    /// What was handed in is run, and what it holds is let go.
    @Test(.watchdog)
    func threadEndsWithItsHandle() async {
        final class Held: Sendable {
            let onEnd: @Sendable () -> Void
            init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
            deinit { onEnd() }
        }
        await withCheckedContinuation { continuation in
            let held = Held { continuation.resume() }
            JobThread().run { withExtendedLifetime(held) {} }
        }
    }
}
