import Foundation
import TestSupport
import TestTraits
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

/// Well-formed files that must not run.
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
    }

    /// What is not there in time would end as a closed connection, without answer or record.
    @Test(arguments: [
        Change(
            "ids: \"{claims.vehicle_id}\"",
            webhook + "3000}}\nlimits: {handleSeconds: 3}",
            "line 13: webhooks.w.timeoutMilliseconds: is 3000, but requests time out after limits.handleSeconds (3). Set it below 3000, or raise limits.handleSeconds."
        ),
        Change("ids: \"{claims.vehicle_id}\"", webhook + "3000}}\nlimits: {handleSeconds: 4}"),
    ])
    func timeoutsEndBeforeTheRequest(_ change: Change) {
        #expect(ConfigurationSample.problems(replacing: change.part, with: change.other) == change.problems)
    }

    private static let webhook =
        "ids: {webhook: w}\nwebhooks: {w: {url: \"https://h.example/a\", secretFile: s, timeoutMilliseconds: "

    @Test func timeoutsOneAfterTheOtherEndBeforeTheRequest() {
        let yaml = ConfigurationSample.yaml
            .replacingOccurrences(of: "{serviceAccount: driver.json}", with: "{iam: driver@p.iam.gserviceaccount.com}")
            .replacingOccurrences(of: "ids: \"{claims.vehicle_id}\"", with: Self.webhook)
        #expect(ConfigurationSample.problems(yaml + "4999}}") == [])
        #expect(
            ConfigurationSample.problems(yaml + "5000}}") == [
                "line 9: grants.own: can take 10000 milliseconds, because its webhooks and Google are called one after the other, but requests time out after limits.handleSeconds (10). Lower the webhooks' timeoutMilliseconds, or raise limits.handleSeconds."
            ]
        )
        // Google has half of a request's time at most.
        #expect(ConfigurationSample.problems(yaml + "2999}}\nlimits: {handleSeconds: 6}") == [])
        #expect(ConfigurationSample.problems(yaml + "3000}}\nlimits: {handleSeconds: 6}").count == 1)
    }

    @Test("A removed setting is an error that says what holds now", arguments: RemovedSettings.all.map(\.path))
    func removed(path: String) throws {
        let draft = ConfigurationDraft()
        let message = try #require(RemovedSettings.message(for: path))
        for place in draft.places(of: path) {
            let problems = ConfigurationProbe.parse(draft.with("1", at: place)).problems
            #expect(problems.map(\.setting) == [place.joined(separator: ".")] && problems.map(\.message) == [message])
        }
        #expect(!draft.places(of: path).isEmpty && message.hasSuffix(". Remove this line."))
    }

    @Test func aRemovedSettingIsOneOfItsPlaceOnly() {
        #expect(RemovedSettings.message(for: "kinds.driver.next.concurrency") != nil)
        #expect(RemovedSettings.message(for: "webhooks.concurrency") == nil)
        #expect(RemovedSettings.message(for: "service.concurrency") == nil)
        #expect(
            ConfigurationSample.problems(replacing: "callers:", with: "limits: {vehicles: 1}\ncallers:") == [
                "line 5: limits.vehicles: is no longer a setting: the guide to scale says which limits a fleet needs. Remove this line."
            ]
        )
    }

    @Test(arguments: [
        Change("version: 1", "version: 2", "line 1: version: must be 1."),
        Change("version: 1\n", "", "line 1: requires version."),
        Change(
            "service:",
            "sevrice:",
            "line 2: sevrice: is an unknown setting. Did you mean service?"
        ),
        Change(
            "version: 1\n",
            "version: 1\nsigning: {batch: off}\n",
            "line 2: signing: is no longer a setting: every token is signed by libcrypto. Remove this line."
        ),
        Change(
            "{listen:",
            "{Listen:",
            "line 2: service.Listen: is an unknown setting. Did you mean listen?"
        ),
        Change(
            "{project:",
            "{project: a, projcet:",
            "line 6: callers.app.firebase.projcet: is an unknown setting. Did you mean project?"
        ),
        Change("{file: keys}", "{}", "line 7: callers.backend.apiKeys: requires file."),
        Change(
            "{file: keys}",
            "{file: [12]}",
            "line 7: callers.backend.apiKeys.file: must be text."
        ),
    ])
    func misspeltAndMissingKeysAreNamed(change: Change) {
        #expect(ConfigurationSample.problems(replacing: change.part, with: change.other) == change.problems)
    }

    /// One wrong value must not make its neighbours look unknown.
    @Test(arguments: [
        Change(
            "{firebase: {project: my-project}}",
            "{googleServiceAccount: {audience: [], email: {}}}",
            "line 6: callers.app.googleServiceAccount.audience: must be text.",
            "line 6: callers.app.googleServiceAccount.email: must be text."
        ),
        Change(
            "{listen: \"127.0.0.1:8080\"}",
            "{tls: {certificate: [], key: {}, clientAuthorities: ~}}",
            "line 2: service.tls.certificate: must be text.",
            "line 2: service.tls.key: must be text.",
            "line 2: service.tls.clientAuthorities: must be text."
        ),
        Change(
            "{serviceAccount: driver.json}",
            "{pem: ~, issuer: a@b, keyId: k}",
            "line 4: kinds.driver.pem: must be text."
        ),
        Change(
            "{serviceAccount: driver.json}",
            "{issuer: a@b, keyId: k}",
            "line 4: kinds.driver: requires exactly one of serviceAccount, pem, iam, pkcs11."
        ),
        Change(
            "callers:",
            "limits: {person: {perMinute: no, burst: no}}\ncallers:",
            "line 5: limits.person.perMinute: must be an integer from 1 to 10000000.",
            "line 5: limits.person.burst: must be an integer from 1 to 1000000."
        ),
        Change(
            "callers:",
            "limits: {redis: {address: \"rediss://h:1\", user: a, ssl: true}}\ncallers:",
            "line 5: limits.redis.address: must be HOST:PORT; for TLS, set limits.redis.tls.",
            "line 5: limits.redis.user: requires passwordFile.",
            "line 5: limits.redis.ssl: is an unknown setting. Known settings are address, user, passwordFile, tls."
        ),
        Change(
            "callers:",
            "limits: {redis: {address: \"redis://h:1\"}}\ncallers:",
            "line 5: limits.redis.address: must be HOST:PORT in quotes, such as \"127.0.0.1:6379\", not a URL."
        ),
        Change(
            "callers:",
            "audit: {file: [], idHmacKeyFile: []}\ncallers:",
            "line 5: audit.file: must be text.",
            "line 5: audit.idHmacKeyFile: must be text."
        ),
        Change("version: 1", "version: yes", "line 1: version: must be 1."),
    ])
    func aWrongValueHidesNothing(change: Change) {
        #expect(ConfigurationSample.problems(replacing: change.part, with: change.other) == change.problems)
    }

    @Test(arguments: [
        Change("[app]", "[ghost]", "line 10: grants.own.callers: names ghost, which is not defined under callers."),
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
        Change(
            "[driver]",
            "[consumer]",
            "line 11: grants.own.kinds: names consumer, which is not defined under kinds."
        ),
        Change("[driver]", "[Driver]", "line 11: grants.own.kinds[0]: must be one of \(kinds)."),
        Change("[driver]", "[]", "line 11: grants.own.kinds: must not be empty."),
        Change("[app]", "[]", "line 10: grants.own.callers: must not be empty."),
        Change("\"{claims.vehicle_id}\"", "[]", "line 12: grants.own.ids: must not be empty."),
        Change(
            "grants:",
            "webhooks:\n  idle: {url: \"https://a.example\", secretFile: s}\ngrants:",
            "line 9: webhooks.idle: is not used by any grant; remove it, or use it in a grant."
        ),
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
        Change(
            "  own:",
            "  \"own way\":",
            "line 9: grants.own way: is not a valid name: use 1 to 64 letters, digits, - and _."
        ),
        Change(
            "  backend:",
            "  back.end:",
            "line 7: callers.back.end: is not a valid name: use 1 to 64 letters, digits, - and _."
        ),
    ])
    func namesHaveToLeadSomewhere(change: Change) {
        #expect(ConfigurationSample.problems(replacing: change.part, with: change.other) == change.problems)
    }

    private static let kinds = KindCase.names.joined(separator: ", ")

    @Test(arguments: [
        Change(
            "127.0.0.1:8080",
            "0.0.0.0:8080",
            "line 2: service.listen: would send tokens unencrypted. Set service.tls, or service.behindTLSProxy: true if a proxy in front terminates TLS."
        ),
        Change(
            "127.0.0.1:8080\"",
            "127.0.0.1:8080\", behindTLSProxy: true, tls: {certificate: c, key: k}",
            "line 2: service.behindTLSProxy: cannot be combined with service.tls; remove one."
        ),
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
            "{certificate: {names: [a]}}",
            "line 2: service.tls.clientAuthorities: is required to verify callers' certificates.",
            "line 10: grants.own.callers: names app, which has no claims, but this grant requires claims."
        ),
        Change(
            "driver: {serviceAccount: driver.json}",
            "driver: {serviceAccount: driver.json, privileged: true}",
            "line 4: kinds.driver.privileged: must be omitted: these tokens give access to one resource."
        ),
        Change(
            "  driver: {serviceAccount: driver.json}",
            "  driver: {serviceAccount: driver.json}\n  server: {serviceAccount: server.json}",
            "line 5: kinds.server.privileged: must be true: these tokens give access to everything. Set it only if a backend needs them."
        ),
        Change(
            "ids: \"{claims.vehicle_id}\"",
            "ids: any\n    privileged: true",
            "line 13: grants.own.privileged: must be omitted: none of its kinds gives access to everything."
        ),
        Change(
            "ids: \"{claims.vehicle_id}\"",
            "ids: any\n    tasks: any",
            "line 13: grants.own.tasks: is only for trusted_delivery_driver."
        ),
        Change(
            "{listen:",
            "{aliases: {token: token, creationTimestampMs: token}, listen:",
            "line 2: service.aliases.token: is already a key of the response, or conflicts with one.",
            "line 2: service.aliases.creationTimestampMs: is already a key of the response, or conflicts with one."
        ),
        Change(
            "{listen:",
            "{origins: [\"*\"], listen:",
            "line 2: service.origins[0]: must be an origin, such as https://ops.example.com: a scheme and a host in lower case, without path and wildcard."
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
    ])
    func whatIsNotSafeDoesNotRun(change: Change) {
        #expect(ConfigurationSample.problems(replacing: change.part, with: change.other) == change.problems)
    }

    @Test func anAppGetsNothingThatOpensEverything() {
        let yaml = """
            version: 1
            kinds:
              server: {serviceAccount: server.json, privileged: true}
            callers:
              app: {firebase: {project: my-project}}
            grants:
              all:
                callers: [app]
                kinds: [server]
                ids: any
                privileged: true
            """
        #expect(
            ConfigurationSample.problems(yaml) == [
                "line 8: grants.all.callers: names app, an app. Tokens with access to everything are for backends only; set app: false if this caller is a backend."
            ]
        )
    }

    private static let url = "https://id.example.com/keys"

    @Test(arguments: [
        ("http://id.example.com/keys", "The key set URL must begin with https://."),
        (
            "https://user@id.example.com/keys",
            "The key set URL must have a host name and optionally a port: no user, password or IP address."
        ),
        (
            "https://169.254.169.254/keys",
            "The key set URL must have a host name and optionally a port: no user, password or IP address."
        ),
        (
            "https:///keys",
            "The key set URL must have a host name and optionally a port: no user, password or IP address."
        ),
        ("file:///etc/passwd", "The key set URL must begin with https://."),
    ])
    func keysComeFromSomewhereSafe(url: String, problem: String) {
        let jwt = "{jwt: {issuer: i, audiences: [a], algorithms: [RS256], keysUrl: \"\(url)\"}}"
        #expect(
            ConfigurationSample.problems(replacing: "{firebase: {project: my-project}}", with: jwt) == [
                "line 6: callers.app.jwt.keysUrl: \(problem)"
            ]
        )
    }

    @Test(arguments: [
        ("audiences: []", ["callers.app.jwt.audiences: must not be empty."]),
        (
            "audiences: [a], algorithms: [none]",
            [
                "callers.app.jwt.algorithms[0]: must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA."
            ]
        ),
        (
            "audiences: [a], algorithms: [HS256]",
            [
                "callers.app.jwt.algorithms[0]: must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA."
            ]
        ),
        (
            "audiences: [a], algorithms: [ES256], keysUrl: \"\(url)\"",
            ["callers.app.jwt: requires keysUrl, keysFile, or neither of them for discovery; not both."]
        ),
        ("audiences: [a], algorithms: [ES256], types: []", ["callers.app.jwt.types: must not be empty."]),
    ])
    func anIssuerIsPinnedDown(settings: String, problems: [String]) {
        let settings = settings.contains("algorithms") ? settings : settings + ", algorithms: [RS256]"
        let jwt = "{jwt: {issuer: i, keysFile: k, \(settings)}}"
        #expect(
            ConfigurationSample.problems(replacing: "{firebase: {project: my-project}}", with: jwt)
                == problems.map { "line 6: \($0)" }
        )
    }

    @Test func allIsReportedAtOnce() {
        let yaml = """
            version: 1
            colour: red
            service:
              listen: 8080
              trustedProxies: [10.0.0.0/33, localhost]
            kinds:
              driver: {serviceAccount: a, pem: b}
              rider: {serviceAccount: a}
            callers:
              app: {firebase: {project: }}
              other: {}
            grants:
              own:
                callers: [app, ghost]
                kinds: [driver, consumer]
                ids: {pattern: "["}
                privileged: maybe
            webhooks:
              hook: {url: "http://example.com", timeoutMilliseconds: 1}
            limits: {connections: 0}
            log: {level: loud}
            """
        let places = ConfigurationFile(yaml: Array(yaml.utf8)).problems.map { "\($0.line ?? 0) \($0.setting)" }
        #expect(
            places == [
                "4 service.listen", "5 service.trustedProxies[0]", "5 service.trustedProxies[1]", "7 kinds.driver",
                "8 kinds.rider", "10 callers.app.firebase.project", "11 callers.other", "19 webhooks.hook.url",
                "19 webhooks.hook", "19 webhooks.hook.timeoutMilliseconds", "16 grants.own.ids.pattern",
                "17 grants.own.privileged", "20 limits.connections", "21 log.level", "2 colour",
            ]
        )
    }

    @Test func theExampleIsFreeOfProblems() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let example = try Data(contentsOf: root.appendingPathComponent("deploy/tokend.example.yaml"))
        let file = ConfigurationFile(yaml: Array(example))
        #expect(file.problems == [])
        let configuration = try #require(file.configuration)
        // What it says in words, it says in values too: the defaults of all limits.
        #expect(configuration.limits == LimitsConfiguration() && configuration.connections == ConnectionLimits())
        #expect(configuration.kinds.count == 3)
        #expect(
            configuration.grants.map(\.name) == [
                "driver-own-vehicle", "rider-own-trips", "backend-any-trip", "backend-everything",
            ]
        )
    }
}
