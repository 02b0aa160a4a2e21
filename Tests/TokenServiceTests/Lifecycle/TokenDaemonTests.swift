import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenService

struct TokenDaemonTests {
    @Test
    func `A connection has the configured limits`() throws {
        let yaml =
            ConfigurationSample.yaml.replacing("{listen:", with: "{requestTimeout: 5s, idleTimeout: 4s, listen:")
            + "\nlimits: {connections: 80}"
        let policy = try #require(ConfigurationFile(yaml: Array(yaml.utf8)).configuration).connections
        #expect([policy.maximumConnections, policy.maximumConnectionsPerAddress] == [80, 10])
        #expect([policy.idle, policy.request] == [.seconds(4), .seconds(5)])
    }

    @Test
    func `The end has the time to drain, then twice that of a request, and ten seconds more`() async throws {
        let address = ListenAddress(host: "127.0.0.1", port: 0)
        let mode = try DevelopmentMode(
            service: address,
            admin: address,
            keysDirectory: DevelopmentService.keys,
            serviceAccounts: [:],
            environment: [:]
        )
        var server = try await mode.service(logger: .silent)
        (server.drain, server.policy.request) = (.seconds(300), .seconds(20))
        #expect(server.maximumShutdownDuration == .seconds(350))
    }
}
