import FleetToken
import StrictCoding
import TestTraits
import Testing
import TokenMinting

@testable import TokenIssuance

@Suite struct WebhookRequestTests {
    private static func body(_ scope: TokenScope, caller: Caller? = nil, claims: [String] = []) throws -> String {
        let caller = try caller ?? GrantSamples.caller()
        return String(decoding: WebhookRequest(caller, scope, claims: claims, requestID: "r").body, as: UTF8.self)
    }

    private static let caller = #"{"caller":{"method":"jwt","name":"app","subject":"subject-1","claims":{}}"#

    @Test("A request names the caller, the kind and the IDs of each scope")
    func saysWhoAsksForWhat() throws {
        let id = try ResourceID("a")
        let task = try ResourceID("b")
        let rows: [(TokenScope, String)] = [
            (.consumer(trip: id), #""kind":"consumer","ids":["a"]"#),
            (.driver(vehicle: id), #""kind":"driver","ids":["a"]"#),
            (.deliveryDriver(vehicle: id), #""kind":"delivery_driver","ids":["a"]"#),
            (.trustedDeliveryDriver(vehicle: id), #""kind":"trusted_delivery_driver","ids":["a"]"#),
            (
                .trustedDeliveryDriver(vehicle: id, task: task),
                #""kind":"trusted_delivery_driver","ids":["a"],"tasks":["b"]"#
            ),
            (.deliveryConsumer(tracking: id), #""kind":"delivery_consumer","ids":["a"]"#),
            (.deliveryTask(task: id), #""kind":"delivery_task","ids":["a"]"#),
            (.deliveryBatch(tasks: try TaskBatch([id, task])), #""kind":"delivery_server","ids":["a","b"]"#),
            (.deliveryServer, #""kind":"delivery_server""#),
            (.server, #""kind":"server""#),
            (.fleetReader, #""kind":"fleet_reader""#),
        ]
        for (scope, expected) in rows { #expect(try Self.body(scope) == "\(Self.caller),\(expected)}") }
    }

    @Test("Only the configured claims are sent")
    func tellsOnlyTheClaimsThatAreChosen() throws {
        let claims = #"{"sub":"u","role":["a",1,1.50,null,{"b":true}],"email":"private@example.com","exp":1}"#
        let caller = try GrantSamples.caller(claims: claims)
        let body = try Self.body(.server, caller: caller, claims: ["role", "missing", "sub"])
        #expect(body.contains(#""claims":{"role":["a",1,1.50,null,{"b":true}],"sub":"u"}}"#))
        #expect(!body.contains("private") && !body.contains("exp") && !body.contains("missing"))
    }

    @Test("Hostile text in a subject or a claim stays inside its JSON string", .tags(.a3))
    func hostileTextStaysInsideItsString() throws {
        let hostile = "\",\"kind\":\"server\",\"x\":\"\\\r\n\u{0}\u{202E}"
        var claims = JSONObject()
        _ = claims.append(.init("sub", .string(hostile)))
        let caller = Caller(method: .jwt, name: hostile, subject: hostile, claims: claims, isApp: true)
        let request = WebhookRequest(caller, try .vehicle("v1"), claims: ["sub"], requestID: "r")
        #expect(request.body.allSatisfy { (0x20..<0x7F).contains($0) })
        let object = try JSONParser.parseObject(request.body)
        #expect(object.names == ["caller", "kind", "ids"])
        #expect(object["kind"] == .string("driver"))
        #expect(object["caller"]?.objectValue?["subject"] == .string(hostile))
    }

    @Test("Each person of an issuer has places of its own")
    func personsShareNoPlaces() {
        let callers = ["a", "b"].map { subject in
            let person = Caller(method: .jwt, name: "app", subject: subject, claims: .init(), isApp: true)
            return WebhookRequest(person, .server, claims: [], requestID: "r").turn
        }
        #expect(Set(callers).count == 2)
    }
}
