import FleetToken
import Foundation
import Logging
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenMinting
@testable import TokenService

struct RotationConfigurationTests {
    @Test
    func `Each file that is named is among those to watch`() throws {
        let yaml = """
            version: 1
            service: {tls: {certificate: tls.crt, key: tls.key}}
            kinds:
              driver: {serviceAccount: a.json}
              consumer: {iam: consumer@my-project.iam.gserviceaccount.com, credentials: b.json}
            callers:
              backend: {apiKeys: {file: api-keys}}
              app: {jwt: {issuer: "https://id.example", audiences: [a], algorithms: [ES256], keysFile: keys.json}}
            grants: {own: {callers: [app], kinds: [driver], ids: {webhook: trips}}}
            webhooks: {trips: {url: "https://trips.example/", secretFile: webhook}}
            audit: {file: audit.jsonl}
            """
        let configuration = try #require(ConfigurationFile(yaml: Array(yaml.utf8)).configuration)
        #expect(
            Set(configuration.files) == [
                "a.json", "b.json", "api-keys", "keys.json", "tls.crt", "tls.key", "webhook",
            ]
        )
    }

    @Test
    func `Each setting that cannot change at run time waits for the next start, as docs/operate.md says`() throws {
        let yaml = Array(ConfigurationSample.yaml.utf8)
        let started = try #require(ConfigurationFile(yaml: yaml).configuration)
        #expect(started.settingsRequiringRestart(since: started) == [])
        var now = started
        // A trail is written as at the start.
        now.audit.file = "other"
        #expect(now.settingsRequiringRestart(since: started) == ["audit"])
        now = started
        now.listen = ListenAddress(host: "127.0.0.1", port: 1)
        now.admin = ListenAddress(host: "127.0.0.1", port: 2)
        now.tls = TLSFiles(certificate: "c", key: "k")
        now.trustedProxies = [try #require(AddressRange("10.0.0.0/8"))]
        now.drain += .seconds(1)
        now.connections.maximumConnections += 1
        now.connections.idle += .seconds(1)
        now.connections.request += .seconds(1)
        now.audit.file = "audit.jsonl"
        let waiting = [
            "service.listen", "admin.listen", "service.tls", "service.trustedProxies",
            "service.drain", "service.requestTimeout", "service.idleTimeout", "limits.connections",
            "audit",
        ]
        #expect(now.settingsRequiringRestart(since: started) == waiting)
        #expect(try Self.documented() == Set(waiting))
    }

    /// The settings in the sentence of docs/operate.md.
    private static func documented() throws -> Set<String> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let text = try String(contentsOf: root.appendingPathComponent("docs/operate.md"), encoding: .utf8)
        let start = try #require(text.range(of: "These settings wait for the next start"))
        let sentence = try #require(text[start.upperBound...].split(separator: "\n\n").first)
        return Set(sentence.matches(of: /`([a-zA-Z.]+)`/).map { String($0.1) })
    }
}
