import FleetToken
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenService

/// What an operator takes away is gone at once, also where another mistake keeps the rest of a reload from taking effect.
@Suite(.watchdog)
struct RevocationTests {
    private static let path = "/token/driver/v-1"
    private static let other = "otherkey0001"

    /// Makes a mistake that keeps the rest of a reload from taking effect.
    private func spoilConfiguration(of service: RunningService) async throws {
        let path = service.site.path("tokend.yaml")
        let text = String(decoding: try TemporaryFolder.read(path), as: UTF8.self)
        try service.site.write("tokend.yaml", Array(text.replacing(#""grants""#, with: #""grant""#).utf8))
        #expect(await service.reload() != [])
    }

    /// Grants access to the users of an issuer too.
    private func trustIssuer(_ site: KeySite) throws {
        let app = try site.trustIssuer()
        try site.configure { configuration in
            configuration["callers"] = ["backend": ["apiKeys": ["file": site.path("api-keys")]], "app": app]
            configuration["grants"] = ["any": ["callers": ["backend", "app"], "kinds": ["driver"], "ids": "any"]]
        }
    }

    @Test
    func `An emptied key file → all keys are refused, with a warning; a new key is accepted`() async throws {
        try await RunningService.production { service in
            #expect(try await service.ask(Self.path).status == 200)
            try service.site.write("api-keys", Array("# none\n".utf8))
            #expect(await service.reload() == [])
            let warnings = service.current.loaded.source.warnings
            let warning = try #require(warnings.first { $0.setting == "callers.backend.apiKeys.file" })
            #expect(warning.message.contains("api-keys has no keys, so all requests of this caller are refused."))
            #expect(try await service.ask(Self.path).status == 401)
            try service.site.write("api-keys", Array(TestAPIKey.line(Self.other).utf8))
            #expect(await service.reload() == [])
            #expect(try await service.ask(Self.path, key: TestAPIKey.key(Self.other)).status == 200)
        }
    }

    @Test
    func `A key is revoked while the configuration is wrong; a wrong line revokes none`() async throws {
        let other = TestAPIKey.key(Self.other)
        let keys = "\(TestAPIKey.line)\n\(TestAPIKey.line(Self.other))\n"
        try await RunningService.production(prepare: { try $0.write("api-keys", Array(keys.utf8)) }) { service in
            #expect(try await service.ask(Self.path, key: other).status == 200)
            try await spoilConfiguration(of: service)
            #expect(try await service.ask(Self.path, key: other).status == 200)
            try service.site.write("api-keys", Array("\(TestAPIKey.line)\n".utf8))
            #expect(await service.reload() != [])
            #expect(try await service.ask(Self.path, key: other).status == 401)
            #expect(try await service.ask(Self.path).status == 200)
            try service.site.write("api-keys", Array("nonsense\n".utf8))
            #expect(await service.reload() != [])
            #expect(try await service.ask(Self.path).status == 200)
        }
    }

    @Test(arguments: [false, true])
    func `An issuer's keys are taken away while the configuration is wrong`(isGone: Bool) async throws {
        let user = try KeySite.userToken()
        try await RunningService.production(prepare: trustIssuer) { service in
            func status() async throws -> Int {
                try await service.ask(Self.path, key: nil, headers: [user]).status
            }
            #expect(try await status() == 200)
            try await spoilConfiguration(of: service)
            #expect(try await status() == 200)
            if isGone {
                try service.site.remove("keys.json")
            } else {
                try service.site.write("keys.json", Array(#"{"keys":[]}"#.utf8))
            }
            #expect(await service.reload() != [])
            // Where keys may be there and cannot be read, callers may come again.
            #expect(try await status() == (isGone ? 503 : 401))
            #expect(try await service.ask(Self.path).status == 200)
        }
    }

    @Test
    func `The last grant is taken away by a reload, with a warning; at a start that is a mistake`() async throws {
        try await RunningService.production { service in
            #expect(try await service.ask(Self.path).status == 200)
            try service.site.configure { $0["grants"] = [String: Any]() }
            #expect(await service.reload() == [])
            #expect(try await service.ask(Self.path).status == 403)
            let warning = try #require(service.current.loaded.source.warnings.first { $0.setting == "grants" })
            #expect(warning.message == "is empty, so every request is denied.")
            let error = #expect(throws: OperatorError.self) { try ProductionMode(path: service.current.started.path) }
            #expect(error?.description.contains("grants: must not be empty") == true)
        }
    }
}
