import ServiceSupport
import TestRandomness
import Testing

@testable import HTTPServer

/// A rule for tests, with sixteen places.
///
/// An address may have two without authenticating, and a larger network four.
private final class Places {
    private(set) var rule = PlaceRule(maximum: 16, perAddress: 2)

    var taken: Int { rule.taken }

    func add(_ address: String?) -> (id: Int?, standing: PlaceRule.Standing?, yielding: Int?) {
        let (place, yielding) = rule.add(address.map { ClientNetwork(of: $0) })
        return (place?.id, place?.standing, yielding)
    }

    /// Adds places for addresses of one each; returns their IDs.
    func fill(_ addresses: some Sequence<String>) throws -> [Int] { try addresses.map { try #require(add($0).id) } }

    func authenticate(_ id: Int) -> Bool { rule.authenticate(id) }

    func touch(_ id: Int) { rule.touch(id) }

    func settle(_ id: Int) -> Bool { rule.settle(id) }

    func remove(_ id: Int) { rule.remove(id) }
}

/// Who gets a place on a listener, and who yields.
struct PlaceRuleTests {
    private let rule = Places()

    private func fillWithAuthenticated() throws -> [Int] {
        let ids = try rule.fill((0..<16).map { "10.0.\($0).1" })
        for id in ids { #expect(rule.authenticate(id)) }
        return ids
    }

    @Test(
        "Without authentication an address has its share, and its larger network has twice that",
        arguments: [
            (["192.0.2.1"], 2), (["192.0.2.1", "::ffff:192.0.2.1"], 2), ((1...9).map { "192.0.2.\($0)" }, 4),
            (["2001:db8::1", "2001:db8::2:1"], 2), ((1...9).map { "2001:db8:0:\($0)::1" }, 4),
            (["192.0.2.1", "192.0.3.1"], 4), (["2001:db8:1::1", "2001:db8:2::1"], 4), (["unknown"], 2),
        ]
    )
    func shares(addresses: [String], share: Int) {
        for number in 0..<share { #expect(rule.add(addresses[number % addresses.count]).standing == .unauthenticated) }
        for address in addresses { #expect(rule.add(address).standing == .borrowing) }
    }

    @Test("A loan ends with the place, unless the share has room by then", arguments: [false, true])
    func loan(hasRoom: Bool) throws {
        let ids = try rule.fill(["a", "a", "a"])
        if hasRoom { rule.remove(ids[0]) }
        #expect(rule.settle(ids[2]) == !hasRoom)
        #expect(rule.taken == 2)
        #expect(rule.settle(ids[1]) == false, "it borrowed nothing")
    }

    @Test("A place that has authenticated is no loan, and leaves the share to others")
    func authenticatedIsNoLoan() throws {
        let ids = try rule.fill(["a", "a", "a"])
        for id in ids { #expect(rule.authenticate(id)) }
        #expect(rule.settle(ids[2]) == false)
        #expect(rule.add("a").standing == .unauthenticated)
    }

    @Test("When all places are taken, borrowers yield before others, and then who has been idle longest")
    func order() throws {
        let others = try rule.fill((0..<12).map { "10.0.\($0).1" })
        let flood = try rule.fill(Array(repeating: "192.0.2.1", count: 4))
        rule.touch(others[0])
        #expect(rule.authenticate(others[1]))
        // The flood's two loans, its newest; then those without a request, in their order.
        let expected = [flood[2], flood[3], others[2], others[3]]
        for (number, id) in expected.enumerated() {
            #expect(rule.add("10.1.\(number).1").yielding == id)
            rule.remove(id)
        }
        #expect(rule.taken == 16)
    }

    @Test("A place with a request since yields after all others, but yields")
    func active() throws {
        let ids = try rule.fill((0..<16).map { "10.0.\($0).1" })
        for id in ids { rule.touch(id) }
        #expect(rule.add("10.1.0.1").yielding == ids[0])
        for id in ids { rule.touch(id) }
        rule.remove(ids[0])
        for number in 1..<17 { rule.remove(try #require(rule.add("10.1.\(number).1").yielding)) }
    }

    @Test("What has authenticated yields to nobody: others are refused, at first with a response")
    func refusal() throws {
        let ids = try fillWithAuthenticated()
        let refused = [rule.add("10.1.0.1"), rule.add("10.1.1.1")]
        #expect(refused.map(\.standing) == [.refused, .refused])
        // Past that without one, and the oldest of those gives its turn to the next.
        let reset = rule.add("10.1.2.1")
        #expect(reset.id == nil && reset.yielding == refused[0].id)
        rule.remove(try #require(reset.yielding))
        #expect(rule.add("10.1.3.1").standing == .refused)
        rule.remove(ids[0])
        rule.remove(try #require(refused[1].id))
        #expect(rule.add("10.1.4.1").standing == .unauthenticated)
    }

    @Test(
        "After authentication an address may have more than its share while more are free than it has; further ones yield"
    )
    func surplus() throws {
        let results = try (0..<10).map { _ in rule.authenticate(try #require(rule.add("192.0.2.1").id)) }
        #expect(results == Array(repeating: true, count: 8) + [false, false])
        for number in 0..<6 { #expect(rule.add("10.0.\(number).1").yielding == nil) }
        #expect(rule.add("10.1.0.1").yielding != nil)
    }

    @Test("A proxy has no share, and its places yield to nobody")
    func proxy() {
        for _ in 0..<16 { #expect(rule.add(nil).standing == .authenticated) }
        #expect(rule.add("192.0.2.1").standing == .refused)
        #expect(rule.add(nil).standing == .refused)
    }

    @Test("Whatever happens, no more places are taken than there are, and all are free in the end", arguments: 0..<20)
    func invariants(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var open: Set<Int> = []
        for _ in 0..<3000 {
            let id = open.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<9, using: &random) {
            case 0: _ = rule.authenticate(id)
            case 1: rule.touch(id)
            case 2: _ = rule.settle(id)
            case 3...4:
                rule.remove(id)
                open.remove(id)
            default:
                let (added, _, yielding) = rule.add("10.0.\(Int.random(in: 0..<4, using: &random)).1")
                added.map { _ = open.insert($0) }
                if let yielding { #expect(open.contains(yielding)) }
            }
            #expect((0...16).contains(rule.taken) && open.count <= 18)
        }
        for id in open { rule.remove(id) }
        #expect(rule.taken == 0)
        for _ in 0..<2 { #expect(rule.add("192.0.2.1").standing == .unauthenticated) }
        #expect(try fillWithAuthenticated().count == 16)
    }
}
