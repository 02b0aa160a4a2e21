import Metrics
import NIOEmbedded
import ServiceSupport
import Testing

@testable import TokenService

struct ConnectionLimitTests {
    private let limit: ConnectionLimit
    private let prometheus = PrometheusMetrics()

    init() {
        var policy = ConnectionPolicy()
        policy.maximumConnections = 16
        let metrics = (Meter(label: "open", factory: prometheus), Counter(label: "refused", factory: prometheus))
        limit = ConnectionLimit(policy, metrics: metrics)
    }

    /// Returns those channels of some addresses that are admitted.
    private func open(_ addresses: [String?]) -> [EmbeddedChannel] {
        addresses.compactMap { address in
            let channel = EmbeddedChannel()
            return limit.admits(channel, from: address) ? channel : nil
        }
    }

    @Test(arguments: [["192.0.2.1"], ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3"]])
    func `One address has an eighth of the connections`(addresses: [String]) throws {
        let channels = open(addresses + addresses + addresses)
        #expect(channels.count == 2)
        #expect(open(["198.51.100.1", "2001:db8:0:1::1"]).count == 2, "others are admitted")
        _ = try channels[0].finish(acceptAlreadyClosed: true)
        #expect(open(addresses + addresses + addresses).count == 1, "as many as have closed")
    }

    @Test
    func `The total limit holds for trusted proxies too`() throws {
        let channels = open(Array(repeating: nil, count: 20))
        #expect(channels.count == 16)
        #expect(open(["192.0.2.1"]).isEmpty)
        let page = String(decoding: prometheus.page(), as: UTF8.self)
        #expect(page.contains("\nopen 16\n") && page.contains("\nrefused 5\n"))
        for channel in channels { _ = try channel.finish(acceptAlreadyClosed: true) }
        #expect(open(["192.0.2.1"]).count == 1)
    }
}
