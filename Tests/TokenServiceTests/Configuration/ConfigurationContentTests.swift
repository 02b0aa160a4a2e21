import Foundation
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

struct ConfigurationContentTests {
    struct Change: CustomTestStringConvertible, Sendable {
        let part: String
        let other: String
        let problems: [String]

        init(_ part: String, _ other: String, _ problems: String...) {
            self.part = part
            self.other = other
            self.problems = problems
        }

        var testDescription: String { other }

        func check() {
            #expect(ConfigurationSample.problems(replacing: part, with: other) == problems)
        }
    }

    @Test
    func `A request has time for two webhooks and a signature of Google's, one after the other`() throws {
        for seconds in [1, 4, 10, 300] {
            let yaml = ConfigurationSample.yaml.replacing("{listen:", with: "{requestTimeout: \(seconds)s, listen:")
            let times = try #require(ConfigurationFile(yaml: Array(yaml.utf8)).configuration).connections
            #expect(times.request == .seconds(seconds))
            #expect(times.webhook * 2 + times.signature < times.request)
        }
    }

    @Test(
        arguments: [
            Change(
                "{firebase: {project: my-project}}",
                "{googleServiceAccount: {audience: [], email: {}}}",
                "line 6: callers.app.googleServiceAccount.audience: must be text.",
                "line 6: callers.app.googleServiceAccount.email: must be text."
            ),
            Change(
                "{listen: \"127.0.0.1:8080\"}",
                "{tls: {certificate: [], key: {}}}",
                "line 2: service.tls.certificate: must be text.",
                "line 2: service.tls.key: must be text."
            ),
            Change(
                "{serviceAccount: driver.json}",
                "{serviceAccount: ~}",
                "line 4: kinds.driver.serviceAccount: must be text."
            ),
            Change(
                "callers:",
                "limits: {perUser: {perMinute: no, burst: no}}\ncallers:",
                "line 5: limits.perUser.perMinute: must be an integer from 1 to 10000000.",
                "line 5: limits.perUser.burst: must be an integer from 1 to 1000000."
            ),
            Change(
                "callers:",
                "audit: {file: []}\ncallers:",
                "line 5: audit.file: must be text."
            ),
            Change("version: 1", "version: yes", "line 1: version: must be 1."),
        ]
    )
    func `A wrong value does not make its neighbours look unknown`(change: Change) { change.check() }

    @Test(
        arguments: [
            // A webhook's name is nobody's, whatever else it names.
            Change(
                "    callers: [app]\n    kinds: [driver]\n    ids: \"{claims.vehicle_id}\"",
                "    callers: [hook]\n    kinds: [driver]\n    ids: {webhook: hook}\nwebhooks:\n  hook: {url: \"https://a.example\", secretFile: s}",
                "line 10: grants.own.callers: names hook, which is not defined under callers."
            ),
            Change(
                "\"{claims.vehicle_id}\"",
                "{webhook: app}",
                "line 9: grants.own: uses the webhook app, which is not defined under webhooks."
            ),
            Change("[driver]", "[Driver]", "line 11: grants.own.kinds[0]: must be one of \(kinds)."),
            Change("[driver]", "[]", "line 11: grants.own.kinds: must not be empty."),
            Change("[app]", "[]", "line 10: grants.own.callers: must not be empty."),
            Change("\"{claims.vehicle_id}\"", "[]", "line 12: grants.own.ids: must not be empty."),
            Change(
                "ids: \"{claims.vehicle_id}\"",
                "ids: {webhook: w}\nwebhooks:\n  w: {url: \"https://a.example\", secretFile: s, claims: [sub, role, sub]}",
                "line 14: webhooks.w.claims[2]: is a duplicate; remove one."
            ),
            // A name that could not be read is not reported a second time by those who use it.
            Change(
                "{firebase: {project: my-project}}",
                "{firebase: {}}",
                "line 6: callers.app.firebase: requires project."
            ),
        ]
    )
    func `A name that leads nowhere is a problem, once`(change: Change) { change.check() }

    private static let kinds = KindCase.names.joined(separator: ", ")

    @Test(
        arguments: [
            Change(
                "kinds:",
                "admin: {listen: \"127.0.0.1:8080\"}\nkinds:",
                "line 3: admin.listen: must not be the same as service.listen."
            ),
            Change(
                "{listen:",
                "{trustedProxies: [0.0.0.0/0, \"::/0\"], listen:",
                "line 2: service.trustedProxies[0]: would trust every client; list the proxies' addresses.",
                "line 2: service.trustedProxies[1]: would trust every client; list the proxies' addresses."
            ),
            Change(
                "{firebase: {project: my-project}}",
                "{apiKeys: {file: api-keys}}",
                "line 10: grants.own.callers: names app, which has no claims, but this grant requires claims."
            ),
            Change(
                "ids: \"{claims.vehicle_id}\"",
                "ids: any\n    tasks: any",
                "line 13: grants.own.tasks: is only for trusted_delivery_driver."
            ),
            Change(
                "\"{claims.vehicle_id}\"",
                "\"{claims.}\"",
                "line 12: grants.own.ids: must be any, \"{claims.NAME}\", a list of IDs, {pattern: …} or {webhook: …}."
            ),
            Change(
                "\"{claims.vehicle_id}\"",
                "\"v-{claims.vehicle_id}\"",
                "line 12: grants.own.ids: must be any, \"{claims.NAME}\", a list of IDs, {pattern: …} or {webhook: …}."
            ),
            Change(
                "[app]",
                "[app]\n    claims: {a..b: c}",
                "line 11: grants.own.claims.a..b: is not a valid claim name: names are separated by single dots."
            ),
        ]
    )
    func `A setting that is not safe is a problem`(change: Change) { change.check() }

    @Test(
        arguments: [
            ("https://ops.example.com:443", "https://ops.example.com"),
            ("http://ops.example.com:80", "http://ops.example.com"),
            ("https://ops.example.com/", "https://ops.example.com"),
            ("https://OPS.example.com", "https://ops.example.com"),
            ("https://[2001:DB8:0::1]:8443", "https://[2001:db8::1]:8443"),
            ("Capacitor://localhost", "capacitor://localhost"),
            ("https://ops.example.com:08443", "https://ops.example.com:8443"),
        ]
    )
    func `An origin that no browser sends is refused with the one to write`(origin: String, form: String) {
        func problems(_ origin: String) -> [String] {
            ConfigurationSample.problems(replacing: "{listen:", with: "{origins: [\"\(origin)\"], listen:")
        }
        let problem = "line 2: service.origins[0]: is not what browsers send, so it would match no page. Write \(form)."
        #expect(problems(origin) == [problem])
        #expect(problems(form) == [])
    }

    @Test(
        arguments: [
            "capacitor://localhost", "ionic://localhost", "tauri://localhost", "http://tauri.localhost",
            "chrome-extension://abcdefghijklmnop", "http://127.0.0.1:3000", "http://[::1]:3000",
            "https://xn--bcher-kva.example",
        ]
    )
    func `An origin has a scheme, a host and perhaps a port`(origin: String) {
        #expect(
            ConfigurationSample.problems(replacing: "{listen:", with: "{origins: [\"\(origin)\"], listen:") == []
        )
    }

    @Test(
        arguments: [
            "null", "localhost", "https://", "https://a/b", "https://a?b", "https://u@a", "https://*.a", "https://a:0",
            "https://a:65536", "https://a:", "file:///", "https://bücher.example", "https://127.1", "https://0x7f.1",
            "https://a..b", "https://[::1", "https://[::ffff:127.0.0.1]", "://a", "1a://b",
        ]
    )
    func `What is no origin is refused`(origin: String) {
        let problems = ConfigurationSample.problems(
            replacing: "{listen:",
            with: "{origins: [\"\(origin)\"], listen:"
        )
        #expect(problems.count == 1 && problems.first?.contains("must be an origin") == true)
    }

    @Test
    func `A grant of kinds with access to everything may name admins only`() {
        let yaml = """
            version: 1
            kinds:
              server: {serviceAccount: server.json}
            callers:
              backend: {apiKeys: {file: keys}}
              admin: {apiKeys: {file: keys}, admin: true}
            grants:
              all:
                callers: [backend, admin]
                kinds: [server]
                ids: any
            """
        #expect(
            ConfigurationSample.problems(yaml) == [
                "line 9: grants.all.callers: names backend, but server tokens give access to everything. Set callers.backend.admin: true if this caller needs them."
            ]
        )
    }

    @Test(
        arguments: [
            ("keysFile: k, audiences: []", ".audiences: must not be empty."),
            ("keysFile: k, algorithms: [none]", ".algorithms[0]: must be one of \(algorithms)."),
            (
                "keysFile: k, keysUrl: \"https://id.example\"",
                ": requires keysUrl, keysFile, or neither of them for discovery; not both."
            ),
        ] as [(String, String)]
    )
    func `An issuer without audience, algorithms or one safe source of keys is a problem`(
        settings: String,
        problem: String
    ) {
        let defaults = ["audiences: [a]", "algorithms: [ES256]"].filter { !settings.contains($0.prefix(9)) }
        let jwt = "{jwt: {issuer: i, \((defaults + [settings]).joined(separator: ", "))}}"
        #expect(
            ConfigurationSample.problems(replacing: "{firebase: {project: my-project}}", with: jwt)
                == ["line 6: callers.app.jwt\(problem)"]
        )
    }

    private static let algorithms = "RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA"

    @Test
    func `The example of a configuration has no problem, and states the defaults`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let example = try Data(contentsOf: root.appendingPathComponent("deploy/tokend.example.yaml"))
        let file = ConfigurationFile(yaml: Array(example))
        #expect(file.problems == [])
        let configuration = try #require(file.configuration)
        // What it says in words, it says in values too: the defaults of all limits.
        #expect(configuration.limits == LimitsConfiguration() && configuration.connections == ConnectionPolicy())
        #expect(configuration.kinds.count == 3)
        #expect(
            configuration.grants.map(\.name) == [
                "driver-own-vehicle", "rider-own-trips", "backend-any-trip", "backend-everything",
            ]
        )
    }
}
