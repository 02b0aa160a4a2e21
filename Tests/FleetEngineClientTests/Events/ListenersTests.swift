import Dispatch
import Testing
import Timing

@testable import FleetEngineClient

/// The listeners of trips, shipments and reporters.
@Suite("Listeners")
struct ListenersTests {
    @Test("Events from several threads reach a listener one at a time, in the order in which they were posted")
    func order() {
        let listeners = Listeners<Int>()
        let received = Lock<[Int]>([])
        let running = Lock(0)
        listeners.add(
            .init(receive: { event in
                let count = running.withLock { running in
                    running += 1
                    return running
                }
                #expect(count == 1)
                received.withLock { $0.append(event) }
                running.withLock { $0 -= 1 }
            }),
            as: listeners.nextID()
        )
        let last = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_000 {
                last.withLock { last in
                    last += 1
                    listeners.post(last)
                }
                listeners.deliver()
            }
        }
        #expect(received.withLock { $0 } == Array(1...8_000))
    }

    @Test("An event is for those that listen when it is posted, and not for those that stop before it is delivered")
    func removed() {
        let listeners = Listeners<Int>()
        let received = Lock<[String]>([])
        func listen(_ name: String) -> UInt64 {
            let id = listeners.nextID()
            listeners.add(.init(receive: { event in received.withLock { $0.append("\(name) \(event)") } }), as: id)
            return id
        }
        let first = listen("first")
        _ = listen("second")
        listeners.post(1)
        #expect(listeners.remove(first))
        #expect(!listeners.remove(first))
        _ = listen("third")
        listeners.deliver()
        listeners.post(2)
        listeners.deliver()
        #expect(received.withLock { $0 } == ["second 1", "second 2", "third 2"])
    }

    @Test("A stream whose first event is the last ends, and removes its listener")
    func endedAtOnce() async {
        let listeners = Listeners<Int>()
        let removed = Lock<[UInt64]>([])
        let stream = listeners.stream(
            { ($0, isLast: $0 == 2) },
            add: { listener, id in
                listeners.add(listener, as: id)
                listeners.post(1)
                listeners.post(2)
                listeners.deliver()
            },
            remove: { id in
                listeners.remove(id)
                removed.withLock { $0.append(id) }
            }
        )
        var elements: [Int] = []
        for await element in stream { elements.append(element) }
        #expect(elements == [1, 2])
        #expect(removed.withLock { $0 } == [1])
        #expect(!listeners.contains(1))
    }
}
