import Logging
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenService

struct TokenServerTests {
    @Test
    func `A connection has the configured limits`() throws {
        let limits = "\nlimits: {connections: 80, idleSeconds: 4, receiveSeconds: 5, handleSeconds: 6}"
        let yaml = Array((ConfigurationSample.yaml + limits).utf8)
        let policy = try #require(ConfigurationFile(yaml: yaml).configuration).connections
        #expect([policy.maximumConnections, policy.maximumConnectionsPerAddress] == [80, 10])
        let times = [policy.idle, policy.receive, policy.handle]
        #expect(times == [.seconds(4), .seconds(5), .seconds(6)])
    }

    @Test
    func `The end has the time to drain, then that of a request, and ten seconds more`() async throws {
        let address = ListenAddress(host: "127.0.0.1", port: 0)
        let mode = try DevelopmentMode(
            service: address,
            admin: address,
            keysDirectory: DevelopmentService.keys,
            serviceAccounts: [:],
            environment: [:]
        )
        var server = try await mode.service(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        (server.drain, server.policy.receive, server.policy.handle) = (.seconds(300), .seconds(20), .seconds(3))
        #expect(server.longestEnd == .seconds(333))
    }
}
