import ServiceConfiguration
import ServiceSupport

/// The remaining cost that an address may cause before authentication.
package struct AddressAllowance: Sendable {
    let address: String
    private let limits: CallerLimits

    init(address: String, limits: CallerLimits) {
        self.address = address
        self.limits = limits
    }

    /// The key for charging: all addresses of an IPv6 network, because one client controls them all.
    var network: String { AddressRange.network(of: address) }

    /// Uses one verification of a token, which may cost a signature verification and a wait for keys.
    ///
    /// - Returns: Whether there was one; within the limits of the address, of its larger network and of all addresses
    ///   together there always is.
    func takesVerification() -> Bool {
        let (network, now) = (network, limits.clock.monotonic)
        var isExceeded = limits.addresses?.wait(for: network, now: now) != nil
        if isExceeded, limits.verifications.take(network, now: now) != nil { return false }
        guard let strangers = limits.strangers else { return true }
        let region = AddressRange.region(of: address)
        isExceeded = isExceeded || strangers.isExceeded(by: region, now: now)
        if isExceeded, limits.verifications.take(region, now: now) != nil { return false }
        return strangers.takeVerification(isExceeded: isExceeded, now: now)
    }
}
