import FleetToken
import JOSE
import ServiceSupport
import TestSupport
import TestTools
import Testing
import TokenMinting

@testable import TokenService

/// The signature that each key makes when it is loaded, here by Google.
@Suite(.watchdog)
struct LoadedKeysTests {
    /// Google, which publishes another key than the one that signs, or refuses to sign.
    private static func google(refuses: Bool) throws -> FakeHTTP {
        let signing = try SigningKey.shared(.rs256)
        let published = try SigningKey(.shared(.rs384), id: signing.id, algorithm: .rs256).jwk()
        return FakeHTTP { request in
            if request.url.hasPrefix("http://metadata.google.internal/") {
                let token = #"{"access_token":"ya29.token","expires_in":3600,"token_type":"Bearer"}"#
                return OutgoingResponse(status: 200, headers: ["metadata-flavor": "Google"], body: Secret(token))
            }
            guard request.url.hasSuffix(":signJwt") else {
                return OutgoingResponse(status: 200, body: Secret([published].keySet))
            }
            guard !refuses else { return OutgoingResponse(status: 403) }
            let payload = try JSONParser.parseObject(request.body?.reveal() ?? [])["payload"]?.stringValue ?? ""
            let header: [String: JSONValue] = ["alg": .string("RS256"), "kid": .string(signing.id)]
            let token = try signing.token(header: header.json, payload: Array(payload.utf8))
            let response: [String: JSONValue] = ["keyId": .string(signing.id), "signedJwt": .string(token)]
            return OutgoingResponse(status: 200, body: Secret(response.json))
        }
    }

    private func useGoogle(_ site: KeySite) throws {
        try site.configure { configuration in
            configuration["kinds"] = ["consumer": ["iam": "c@p.iam.gserviceaccount.com"]]
            configuration["grants"] = ["any": ["callers": ["backend"], "kinds": ["consumer"], "ids": "any"]]
        }
    }

    @Test
    func `A key whose signature is invalid → no start, and its kind is named`() async throws {
        try await KeySite.with { site in
            try site.populate()
            try useGoogle(site)
            await #expect {
                try await site.load(http: try Self.google(refuses: false))
            } throws: { error in
                Problem.all(of: error).map(\.setting) == ["kinds.consumer"]
            }
        }
    }

    @Test
    func `A key whose signature is invalid → a reload fails, and the last good service stays`() async throws {
        try await KeySite.with { site in
            try site.populate()
            let current = try await site.load(http: try Self.google(refuses: false))
            try useGoogle(site)
            await Reloader(current).request()
            #expect(current.shared.reloads.current.problems.map(\.setting) == ["kinds.consumer"])
            #expect(Array(current.loaded.signers.keys) == [.driver])
        }
    }

    @Test
    func `Google signs nothing → the service starts, and the kind is not ready`() async throws {
        try await KeySite.with { site in
            try site.populate()
            try useGoogle(site)
            let current = try await site.load(http: try Self.google(refuses: true))
            #expect(current.loaded.signingTest.failing == [.consumer])
        }
    }
}
