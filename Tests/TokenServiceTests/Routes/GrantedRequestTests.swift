import FleetToken
import JOSE
import TestSupport
import TestTools
import Testing
import TokenIssuance

@testable import TokenService

/// Who may have what: claims, lists, patterns and privileges; the response, and the line in the audit trail.
@Suite(.watchdog)
struct GrantedRequestTests {
    /// Who sends a request.
    private enum Client {
        case backend
        case reader
        /// A user whom a claim assigns vehicles, with a role.
        case user(vehicles: JSONValue, role: JSONValue = .string("driver"))

        static func user(_ vehicles: String...) -> Self { user(vehicles: .array(vehicles.map { .string($0) })) }
    }

    /// What a response has to be.
    private enum Expected {
        case granted(_ rule: String, _ authorization: [String: String])
        case denied(_ reason: String)
        case invalid
    }

    private static let readerID = "readerkey001"

    /// An app whose users have their own vehicles, a backend that is an admin, and another that is not.
    private func configure(_ site: KeySite) throws {
        let kinds = ["consumer", "driver", "delivery_consumer", "server"]
        for (number, kind) in kinds.enumerated() {
            try site.write("\(kind).json", try KeySite.account(kind, email: "\(kind)@fleet.example", key: number % 3))
        }
        try site.write("reader-keys", Array(TestAPIKey.line(Self.readerID).utf8))
        let app = try site.trustIssuer()
        try site.configure { configuration in
            configuration["kinds"] = Dictionary(
                uniqueKeysWithValues: kinds.map { ($0, ["serviceAccount": site.path("\($0).json")]) }
            )
            configuration["callers"] = [
                "app": app, "backend": ["apiKeys": ["file": site.path("api-keys")], "admin": true],
                "reader": ["apiKeys": ["file": site.path("reader-keys")]],
            ]
            configuration["grants"] = [
                "own-vehicle": [
                    "callers": ["app"], "claims": ["role": "driver"], "kinds": ["driver"],
                    "ids": "{claims.fleet.vehicles}",
                ],
                "fleet": ["callers": ["backend"], "kinds": ["driver"], "ids": ["v-1", "v-2"]],
                "trips": [
                    "callers": ["backend"], "kinds": ["consumer"], "ids": ["pattern": ["ride-*", "trip-???45"]],
                ],
                "parcels": ["callers": ["backend"], "kinds": ["delivery_consumer"], "ids": "any"],
                "everything": ["callers": ["backend"], "kinds": ["server"], "ids": "any"],
                "reader": ["callers": ["reader"], "kinds": ["delivery_consumer"], "ids": "any"],
            ]
        }
    }

    private static let requests: [(Client, path: String, Expected)] = [
        // A claim names the IDs, alone or in a list; another ID is denied, and so is a wildcard in it.
        (.user(vehicles: .string("v-1")), "driver/v-1", .granted("own-vehicle", ["vehicleid": "v-1"])),
        (.user("v-1"), "driver/v-1", .granted("own-vehicle", ["vehicleid": "v-1"])),
        (.user("v-0", "v-1", "v-2"), "driver/v-1", .granted("own-vehicle", ["vehicleid": "v-1"])),
        (.user(vehicles: .string("v-2")), "driver/v-1", .denied("ID_NOT_GRANTED")),
        (.user("v-1", "*"), "driver/v-1", .denied("ID_NOT_GRANTED")),
        (.user("*"), "driver/*", .invalid), (.user("%2A", "*"), "driver/%2A", .invalid),
        // The condition of a grant.
        (.user(vehicles: .string("v-1"), role: .string("rider")), "driver/v-1", .denied("KIND_NOT_GRANTED")),
        (
            .user(vehicles: .string("v-1"), role: .array([.string("rider"), .string("driver")])), "driver/v-1",
            .granted("own-vehicle", ["vehicleid": "v-1"])
        ),
        // A list has its IDs and no others, a pattern matches whole IDs, and any has no wildcard.
        (.backend, "driver/v-2", .granted("fleet", ["vehicleid": "v-2"])),
        (.backend, "driver/v-22", .denied("ID_NOT_GRANTED")),
        (.backend, "consumer/trip-12345", .granted("trips", ["tripid": "trip-12345"])),
        (.backend, "consumer/trip-123456", .denied("ID_NOT_GRANTED")),
        (.backend, "delivery_consumer/p-1", .granted("parcels", ["trackingid": "p-1"])),
        (.backend, "delivery_consumer/*", .invalid), (.backend, "delivery_consumer/", .invalid),
        // A kind with access to everything needs an admin, whatever a token says of itself.
        (.backend, "server", .granted("everything", ["tripid": "*", "vehicleid": "*"])),
        (.reader, "server", .denied("KIND_NOT_GRANTED")), (.user("*"), "server", .denied("KIND_NOT_GRANTED")),
    ]

    @Test
    func `Each caller gets what its grants allow and nothing else, and each decision is on record`() async throws {
        try await RunningService.production(prepare: configure) { service in
            for (client, path, expected) in Self.requests {
                let response = try await send(client, "/token/\(path)", to: service)
                switch expected {
                case .granted(let rule, let authorization):
                    try expectGranted(response, by: rule, authorization, service)
                case .denied(let reason): try expectDenied(response, for: reason, by: service)
                case .invalid: #expect(response.status == 400 && !response.text.contains(#""token":"#), "\(path)")
                }
            }
        }
    }

    @Test(arguments: [("v-1", 200), ("v-3", 403)])
    func `POST is decided as GET is`(id: String, status: Int) async throws {
        try await RunningService.production(prepare: configure) { service in
            let response = try await service.ask(
                "/token",
                "POST",
                headers: ["Content-Type: application/json"],
                body: #"{"kind":"driver","vehicleId":"\#(id)"}"#
            )
            #expect(response.status == status)
        }
    }

    private func send(_ client: Client, _ target: String, to service: RunningService) async throws -> TransferResponse {
        switch client {
        case .backend: return try await service.ask(target)
        case .reader: return try await service.ask(target, key: TestAPIKey.key(Self.readerID))
        case .user(let vehicles, let role):
            let user = try KeySite.userToken([
                "fleet": .object(try JSONParser.parseObject(["vehicles": vehicles].json)), "role": role,
                "admin": .bool(true),
            ])
            return try await service.ask(target, key: nil, headers: [user])
        }
    }

    private func expectGranted(
        _ response: TransferResponse,
        by rule: String,
        _ authorization: [String: String],
        _ service: RunningService
    ) throws {
        let token = Array(try #require(try response.json()["token"]?.stringValue).utf8)
        let jws = try CompactJWS(parsing: token)
        let claims = try JSONParser.parseObject(jws.payload)
        let expected = try JSONParser.parseObject(authorization.mapValues { .string($0) }.json)
        #expect(claims["authorization"] == .object(expected))
        let line = try service.audited(response)
        #expect(line["decision"] == .string("allow") && line["rule"] == .string(rule))
        #expect(line["tokenSha256"] == .string(SHA256Digest(of: token).hexadecimal))
        #expect(line["keyId"]?.stringValue == jws.header.keyID && line["expiresAt"] == claims["exp"])
    }

    /// Expects a denial whose message names neither grants nor claims.
    private func expectDenied(
        _ response: TransferResponse,
        for reason: String,
        by service: RunningService
    ) throws {
        #expect(try response.status == 403 && response.reason() == reason)
        let line = try service.audited(response)
        #expect(line["decision"] == .string("deny") && line["rule"] == .string(reason) && line["tokenSha256"] == nil)
        let error = try response.json()["error"]?.objectValue
        let words = try #require(error?["message"]?.stringValue).split(separator: " ").map(String.init)
        let names = service.current.loaded.configuration.grants.map(\.name)
        #expect(Set(names + ["claim", "allow"]).isDisjoint(with: words))
    }
}
