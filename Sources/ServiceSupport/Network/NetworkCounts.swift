/// An address and the larger network that it is in, as the keys of what is counted by client.
package struct ClientNetwork: Sendable, Hashable {
    /// The addresses that one host controls: an IPv4 address, or an IPv6 /64.
    package let address: String
    /// The larger network, which one client may control: an IPv4 /24, or an IPv6 /48.
    package let region: String

    /// Creates the network of an address.
    package init(of address: String) {
        self.address = AddressRange.network(of: address)
        region = AddressRange.region(of: address)
    }
}

/// Counts what clients hold, with bounds for all together, for each address and for each larger network.
///
/// Addresses are cheap by the larger network, so that a bound by address alone is none.
package struct NetworkCounts: Sendable {
    /// The maximum for all together, for an address, and for a larger network.
    package let maximum, maximumPerAddress, maximumPerRegion: Int
    /// How much all clients hold together.
    package private(set) var total = 0
    private var byAddress: [String: Int] = [:]
    private var byRegion: [String: Int] = [:]

    /// Creates counts; a larger network may have as much as two addresses.
    package init(maximum: Int, perAddress: Int) {
        self.maximum = maximum
        maximumPerAddress = perAddress
        maximumPerRegion = 2 * perAddress
    }

    /// Returns whether a client may hold more.
    package func hasRoom(for client: ClientNetwork) -> Bool {
        total < maximum && byAddress[client.address, default: 0] < maximumPerAddress
            && byRegion[client.region, default: 0] < maximumPerRegion
    }

    /// Counts one more.
    package mutating func add(_ client: ClientNetwork) {
        total += 1
        byAddress[client.address, default: 0] += 1
        byRegion[client.region, default: 0] += 1
    }

    /// Counts one less.
    package mutating func remove(_ client: ClientNetwork) {
        total -= 1
        byAddress.decrement(client.address)
        byRegion.decrement(client.region)
    }
}

extension [String: Int] {
    /// Counts one less; keys without a count are not kept.
    package mutating func decrement(_ key: String) {
        let count = self[key, default: 1] - 1
        self[key] = count > 0 ? count : nil
    }
}
