import Foundation
import TestSupport
import TestTools
import Testing

/// Google's sample clients, each reading the response from the path that it requests, as it does.
@Suite(DevelopmentService.Shared(), .watchdog)
struct SampleClientTests {
    /// One client, the keys that it reads, and the origin of its page.
    struct Client: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let paths: [String]
        let token: String
        var times: [String] = []
        var origin: String?

        init(_ name: String, _ paths: [String], _ token: String, _ times: [String] = [], origin: String? = nil) {
            testDescription = name
            self.paths = paths
            self.token = token
            self.times = times
            self.origin = origin
        }
    }

    private static let onDemand = ["/token/consumer/trip-1", "/token/driver/vehicle-1"]
    private static let camel = ["creationTimestamp", "expirationTimestamp"]
    private static let snake = ["creation_timestamp_ms", "expiration_timestamp_ms"]

    static let clients = [
        Client("on-demand, Objective-C", ["/token/consumer/trip-1"], "jwt", ["expirationTimestamp"]),
        Client("on-demand, Android", onDemand, "jwt", camel),
        Client("Flutter, on-demand", ["/token/driver/vehicle-1"], "jwt", camel),
        Client("Flutter, last mile", ["/token/delivery_driver/van-1"], "token", snake),
        Client("on-demand, React", ["/token/consumer/trip-1"], "jwt", camel, origin: "http://localhost:3000"),
        Client("last mile, Android and React Native", ["/token/delivery_driver/van-1"], "token"),
        Client("driver, a token for each update", ["/token/driver/vehicle-1"], "token"),
        Client(
            "last mile, pages",
            ["/token/delivery_consumer/parcel-1", "/token/fleet_reader", "/token/fleet_reader/"],
            "token",
            ["expiration_timestamp_ms"],
            origin: "http://localhost:8081"
        ),
    ]

    @Test(arguments: clients)
    func `A sample client finds its token and its times, as integers`(client: Client) async throws {
        for path in client.paths {
            let body = try JSONSerialization.jsonObject(with: try await Self.get(path, origin: client.origin))
            let members = try #require(body as? [String: Any])
            #expect((members[client.token] as? String)?.split(separator: ".").count == 3)
            let times = client.times.map { members[$0] as? Int }
            #expect(!times.contains(nil) && times.compactMap { $0 } == times.compactMap { $0 }.sorted())
            // Pages that read no expiry assume 3,300 seconds.
            if let expiration = times.last ?? nil {
                #expect(Double(expiration) / 1000 - Date().timeIntervalSince1970 > 3300)
            }
        }
    }

    /// `Codable`, whose integers take no fraction and no string.
    @Test(arguments: onDemand)
    func `The Swift apps for riders and drivers decode the response`(path: String) async throws {
        struct Body: Decodable {
            let jwt: String
            let expirationTimestamp: Int
        }
        let body = try JSONDecoder().decode(Body.self, from: try await Self.get(path))
        #expect(body.jwt.split(separator: ".").count == 3)
    }

    /// Snake case converted, so that a camel-case twin of a key would collide.
    @Test
    func `The last-mile app for iOS decodes the response`() async throws {
        struct Body: Decodable {
            let token: String
            let creationTimestampMs: Int
            let expirationTimestampMs: Int
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = try decoder.decode(Body.self, from: try await Self.get("/token/delivery_driver/van-1"))
        #expect(body.creationTimestampMs < body.expirationTimestampMs)
    }

    private static func get(_ path: String, origin: String? = nil) async throws -> Data {
        let response = try await DevelopmentService.request(
            "GET",
            path,
            headers: origin.map { ["Origin: \($0)"] } ?? []
        )
        try #require(response.status == 200)
        if let origin { #expect(response["access-control-allow-origin"] == origin) }
        return Data(response.body)
    }
}
