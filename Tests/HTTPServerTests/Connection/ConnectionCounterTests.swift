import TestTraits
import Testing

@testable import HTTPServer

struct ConnectionCounterTests {
    @Test func oneAddressGetsItsShareOnly() {
        let counter = ConnectionCounter(maximum: 6, maximumPerAddress: 3, isShared: { _ in false })
        for _ in 0..<3 { #expect(counter.add("a")) }
        #expect(!counter.add("a"))
        #expect(counter.add("b"))
        counter.remove("a")
        #expect(counter.add("a"))
        #expect(!counter.add("a"))
    }

    @Test("An address may have more than its share while more connections are free than it has")
    func oneAddressGetsMoreWhileOthersAreFree() {
        let counter = ConnectionCounter(maximum: 10, maximumPerAddress: 3, isShared: { _ in false })
        for _ in 0..<5 { #expect(counter.add("a")) }
        #expect(!counter.add("a"))
        // Others have room, at least their share as long as there is any.
        for _ in 0..<3 { #expect(counter.add("b")) }
        #expect(!counter.add("b") && !counter.add("a"))
        for _ in 0..<2 { #expect(counter.add("c")) }
        #expect(!counter.add("c"))
        for _ in 0..<5 { counter.remove("a") }
        for _ in 0..<2 { #expect(counter.add("d")) }
    }

    @Test("A thousand connections from one address fit into the defaults")
    func aThousandFromOneAddressFit() {
        let counter = ConnectionCounter(maximum: 2048, maximumPerAddress: 256, isShared: { _ in false })
        for _ in 0..<24 { #expect(counter.add("other")) }
        for _ in 0..<1000 { #expect(counter.add("carrier")) }
    }

    @Test func addressesOfAnIPv6NetworkAreOne() {
        let counter = ConnectionCounter(maximum: 4, maximumPerAddress: 2, isShared: { _ in false })
        #expect(counter.add("2001:db8::1"))
        #expect(counter.add("2001:db8:0:0:ffff::2"))
        #expect(!counter.add("2001:db8::3"))
        #expect(counter.add("2001:db8:0:1::1"))
        counter.remove("2001:db8::2")
        #expect(counter.add("2001:db8::4"))
    }

    /// An IPv4 address in IPv6 is that address, and not one network with all others.
    @Test func addressesOfIPv4InIPv6AreTheirOwn() {
        let counter = ConnectionCounter(maximum: 4, maximumPerAddress: 2, isShared: { _ in false })
        for address in ["::ffff:192.0.2.1", "192.0.2.1", "::ffff:192.0.2.2"] { #expect(counter.add(address)) }
        #expect(!counter.add("::ffff:192.0.2.1"))
    }

    /// Only the total counts for a proxy.
    @Test func sharedAddressesHaveNoShare() {
        let counter = ConnectionCounter(maximum: 5, maximumPerAddress: 2, isShared: { $0 == "2001:db8:0:9::1" })
        for _ in 0..<5 { #expect(counter.add("2001:db8:0:9::1")) }
        #expect(!counter.add("2001:db8:0:9::1"))
    }

    @Test func allTogetherAreBounded() {
        let counter = ConnectionCounter(maximum: 4, maximumPerAddress: 3, isShared: { $0 == "proxy" })
        for _ in 0..<4 { #expect(counter.add("proxy")) }
        #expect(!counter.add("proxy"))
        #expect(!counter.add("a"))
        counter.remove("proxy")
        #expect(counter.add("a"))
        #expect(!counter.add("b"))
    }

    @Test(.watchdog)
    func manyThreadsNeverPassTheBounds() async {
        let counter = ConnectionCounter(maximum: 50, maximumPerAddress: 10, isShared: { _ in false })
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for _ in 0..<5000 where counter.add("a\(thread % 4)") { counter.remove("a\(thread % 4)") }
                }
            }
        }
        // Nothing was counted twice or forgotten: all places are free.
        for address in 0..<5 {
            for _ in 0..<10 { #expect(counter.add("a\(address)")) }
        }
        #expect(!counter.add("b"))
    }
}
