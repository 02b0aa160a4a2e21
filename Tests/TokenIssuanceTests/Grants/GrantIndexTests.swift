import FleetToken
import Testing

@testable import TokenIssuance

/// A request looks at as many of 10,000 grants as of one.
@Suite struct GrantIndexTests {
    private static let count = 10_000

    private func grant(_ caller: String, _ ids: IDRule) -> GrantConfiguration {
        GrantConfiguration(name: "g", callers: [caller], kinds: [.driver], ids: ids)
    }

    @Test
    func `Only the caller's grants are candidates`() throws {
        let index = GrantIndex((0..<Self.count).map { grant("caller-\($0)", .any) })
        let scope = TokenScope.driver(vehicle: try ResourceID("v"))
        #expect(index.candidates(for: scope, of: "caller-7") == [7])
        #expect(index.candidates(for: scope, of: "caller").isEmpty)
        #expect(index.candidates(for: .consumer(trip: try ResourceID("v")), of: "caller-7").isEmpty)
    }

    @Test
    func `Only lists with the ID, and all other rules, are candidates`() throws {
        let lists = try (0..<Self.count).map {
            grant("backend", .list([try ResourceID("v-\($0)"), try ResourceID("v")]))
        }
        let pattern = grant("backend", .patterns([try IDPattern("v-??")]))
        let index = GrantIndex([pattern] + lists)
        let scope = { (id: String) in TokenScope.driver(vehicle: try ResourceID(id)) }
        #expect(index.candidates(for: try scope("v-7"), of: "backend") == [0, 8])
        #expect(index.candidates(for: try scope("w"), of: "backend") == [0])
        #expect(index.candidates(for: try scope("v"), of: "backend") == Array(0...Self.count))
    }

    @Test
    func `No list is a candidate for everything`() throws {
        let index = GrantIndex([grant("backend", .list([try ResourceID("v")])), grant("backend", .any)])
        #expect(index.candidates(for: .server, of: "backend").isEmpty)
    }
}
