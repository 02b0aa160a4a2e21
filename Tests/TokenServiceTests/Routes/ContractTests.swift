import FleetToken
import Foundation
import JOSE
import ServiceSupport
import TestSupport
import TestTools
import Testing

@Suite(DevelopmentService.Shared(), .watchdog)
struct ContractTests {
    @Test(arguments: KindCase.all)
    func `Each request of the table of kinds leads to its claims, by path and by body`(row: KindCase) async throws {
        let object = try JSONEncoder().encode(row.request.merging(["kind": .text(row.kind)]) { $1 })
        let body = try await post("/token", String(decoding: object, as: UTF8.self))
        #expect(try Self.claims(of: body) == row.claims)
        let response =
            if let path = row.path {
                try await DevelopmentService.request("GET", path)
            } else {
                try await post("/token/\(row.kind)", String(decoding: JSONEncoder().encode(row.request), as: UTF8.self))
            }
        #expect(try Self.claims(of: response) == row.claims)
    }

    @Test(
        arguments: [
            ("/token/DRIVER/vehicle-1", nil, #"{"vehicleid":"vehicle-1"}"#),
            ("/token/Delivery_Driver/van-1", nil, #"{"deliveryvehicleid":"van-1"}"#),
            ("/token/server/", nil, #"{"tripid":"*","vehicleid":"*"}"#),
            ("/token/fleet_reader/", nil, #"{"taskid":"*","trackingid":"*","deliveryvehicleid":"*"}"#),
            ("/token/consumer/a%40b%3D%2B%24", nil, #"{"tripid":"a@b=+$"}"#),
            ("/token/consumer/a@b=+$!(c)~", nil, #"{"tripid":"a@b=+$!(c)~"}"#),
            ("/token/consumer/%74rip", nil, #"{"tripid":"trip"}"#),
            ("/token/", #"{"kind":"consumer","tripId":"t"}"#, #"{"tripid":"t"}"#),
            ("/token", #"{"kind":"Driver","vehicleId":"v"}"#, #"{"vehicleid":"v"}"#),
            ("/token/server", #"{}"#, #"{"tripid":"*","vehicleid":"*"}"#),
        ] as [(String, String?, String)]
    )
    func `A path may be written in other ways, and a body may be sent to other paths`(
        target: String,
        body: String?,
        authorization: String
    ) async throws {
        let response =
            if let body { try await post(target, body) } else { try await DevelopmentService.request("GET", target) }
        #expect(response.status == 200)
        #expect(try Self.authorization(of: response) == authorization)
    }

    @Test
    func `The development page offers each kind, with an ID where it has one`() async throws {
        let response = try await DevelopmentService.request("GET", "/")
        let page = String(decoding: response.body, as: UTF8.self)
        let options = page.matches(of: /<option value="([a-z_]+)"( data-id)?/)
        #expect(options.map { String($0.1) } == KindCase.names)
        #expect(options.filter { $0.2 == nil }.map { String($0.1) } == KindCase.privilegedNames)
    }

    private func post(_ target: String, _ body: String) async throws -> TransferResponse {
        let headers = ["Content-Type: application/json; charset=utf-8"]
        let response = try await DevelopmentService.request("POST", target, headers: headers, body: body)
        #expect(response.status == 200)
        return response
    }

    private static func claims(of response: TransferResponse) throws -> [String: KindCase.Value] {
        try JSONDecoder().decode(
            [String: KindCase.Value].self,
            from: Data(try #require(try authorization(of: response)).utf8)
        )
    }

    @Test
    func `A response has the documented keys and times, in order`() async throws {
        let answer = try await DevelopmentService.run(clock: .stopped(at: 1_795_211_520)) { port, _ in
            try await HTTPExchange.request("GET", "/token/consumer/trip-1", port: port)
        }
        let body = try answer.json()
        let names = [
            "token", "jwt", "expiresInSeconds", "creationTimestamp", "expirationTimestamp", "creation_timestamp_ms",
            "expiration_timestamp_ms",
        ]
        #expect(body.names == names)
        #expect(body["token"] == body["jwt"])
        #expect(body["expiresInSeconds"] == .integer(3540))
        #expect(body["creationTimestamp"] == .integer(1_795_211_460_000))
        #expect(body["expirationTimestamp"] == .integer(1_795_215_060_000))
        #expect(body["creation_timestamp_ms"] == body["creationTimestamp"])
        #expect(body["expiration_timestamp_ms"] == body["expirationTimestamp"])
    }

    @Test(
        arguments: ["/token/consumer/t?lifetimeSeconds=600", "/token/consumer/t?lifetimeSeconds=3540"]
    )
    func `The lifetime is the requested one`(path: String) async throws {
        // The lifetime in the response is what is left of it, which a second's end would change.
        let answer = try await DevelopmentService.run(clock: .stopped(at: NumericDate.now.seconds)) { port, _ in
            try await HTTPExchange.request("GET", path, port: port)
        }
        let asked = path.split(separator: "=").last.flatMap { Int64($0) }
        #expect(try answer.json()["expiresInSeconds"]?.integerValue == asked)
    }

    /// Faults that Google's servers have had: responses that caches keep, and errors in several formats.
    @Test(arguments: ["/token/consumer/t", "/token/driver/", "/nowhere", "/.well-known/jwks.json"])
    func `Every response carries the common header fields`(path: String) async throws {
        let answer = try await DevelopmentService.request("GET", path)
        #expect(answer["cache-control"] == "no-store")
        #expect(answer["pragma"] == "no-cache")
        #expect(answer["content-type"] == "application/json")
        #expect(answer["x-content-type-options"] == "nosniff")
        #expect(answer["date"]?.hasSuffix(" GMT") == true)
        #expect(answer["x-request-id"] != nil)
    }

    @Test
    func `The response to HEAD has the length of the body and no body`() async throws {
        try await DevelopmentService.run { port, _ in
            let get = try await HTTPExchange.request("GET", "/.well-known/jwks.json", port: port)
            let head = try await HTTPExchange.request("HEAD", "/.well-known/jwks.json", port: port)
            #expect(head.status == 200)
            #expect(head["content-length"] == String(get.body.count))
            // The answer after it on the same connection is in step, so no body came.
            let two = "HEAD /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let answers = try await HTTPExchange.send(Array((two + two).utf8), to: port, count: 2, isHead: true)
            #expect(answers.map(\.status) == [404, 404])
        }
    }

    static func token(of answer: TransferResponse) throws -> String {
        try #require(try answer.json()["token"]?.stringValue)
    }

    static func authorization(of answer: TransferResponse) throws -> String? {
        let jws = try CompactJWS(parsing: Array(try token(of: answer).utf8))
        guard let value = try JSONParser.parseObject(jws.payload)["authorization"] else { return nil }
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
