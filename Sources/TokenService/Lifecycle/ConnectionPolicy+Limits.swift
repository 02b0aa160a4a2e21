import HTTPServer
package import ServiceConfiguration

extension ConnectionPolicy {
    /// Creates the policy of the public listener from the configured limits.
    package init(_ limits: LimitsConfiguration) {
        self.init()
        maximumConnections = limits.connections
        maximumConnectionsPerAddress = limits.connectionsPerAddress
        maximumAge = .seconds(limits.connection)
        idle = .seconds(limits.idle)
        receive = .seconds(limits.receive)
        handle = .seconds(limits.handle)
    }
}
