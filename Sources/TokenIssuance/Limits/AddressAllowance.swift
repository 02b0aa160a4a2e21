import ServiceConfiguration

/// What an address may still cost before it is known who asks from it.
package struct AddressAllowance: Sendable {
    /// The address.
    let address: String
    private let limits: CallerLimits

    /// The allowance of an address.
    init(address: String, limits: CallerLimits) {
        self.address = address
        self.limits = limits
    }

    /// What it is charged as: the addresses of an IPv6 network are one, since one client has them all.
    var network: String { AddressRange.network(of: address) }

    /// Takes the examination of a token, which may cost a signature's verification and a wait for keys.
    ///
    /// - Returns: Whether there was one; within the address's limit there always is.
    func takesExamination() -> Bool {
        let (network, now) = (network, limits.clock())
        guard limits.addresses?.wait(for: network, now: now) != nil else { return true }
        return limits.examinations.take(network, now: now) == nil
    }
}
