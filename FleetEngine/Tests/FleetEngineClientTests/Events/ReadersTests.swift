import Dispatch
import EngineCoding
import Testing

@testable import FleetEngineClient

@Suite(.timeLimit(.minutes(1)))
struct ReadersTests {
    @Test
    func `A reader gets its own events, then those that are reported from then on, in order, then the end`() async {
        var readers = Readers<Int>()
        readers.report(0)
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        readers.add(continuation, events: [1]) { _ in }
        for number in 2...100 { readers.report(number) }
        readers.finish()
        readers.report(101)
        var numbers: [Int] = []
        for await number in stream { numbers.append(number) }
        #expect(numbers == Array(1...100))
    }

    @Test
    func `An event is reported under the lock that a reader's cancellation waits for → both go on`() async {
        let readers = Lock(Readers<Int>())
        let (ending, reported) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        readers.withLock {
            $0.add(continuation, events: [1]) { id in
                ending.signal()
                reported.wait()
                readers.withLock { $0.remove(id) }
            }
        }
        let log = Journal<Int>()
        let reader = Task {
            for await number in stream { log.append(number) }
        }
        await log.wait(for: 1)
        // Not on a thread that runs tasks: on one processor the cancellation blocks the only one.
        DispatchQueue.global().async {
            ending.wait()
            readers.withLock { $0.report(2) }
            reported.signal()
        }
        reader.cancel()
        await reader.value
        #expect(readers.withLock { $0.isEmpty })
    }
}
