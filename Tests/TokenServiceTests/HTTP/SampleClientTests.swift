import Foundation
import TestSupport
import TestTraits
import Testing

/// Google's own sample clients, each reading the answer exactly as it does, from the path that it asks.
///
/// One test a row of the table of clients that the service promises to serve unchanged.
@Suite(.watchdog)
struct SampleClientTests {
    /// The Swift apps for riders and drivers: `Codable`, whose integers take no fraction and no string.
    @Test(arguments: ["/token/consumer/trip-1", "/token/driver/vehicle-1"])
    func onDemandSwiftApps(path: String) async throws {
        struct Body: Decodable {
            let jwt: String
            let expirationTimestamp: Int
        }
        let body = try JSONDecoder().decode(Body.self, from: try await Self.get(path))
        #expect(Self.isToken(body.jwt))
        #expect(Self.remaining(milliseconds: body.expirationTimestamp) > 3300)
    }

    /// The Objective-C app for riders: `NSJSONSerialization` and a number that must be an integer.
    @Test
    func onDemandObjectiveCApp() async throws {
        let body = try Self.dictionary(try await Self.get("/token/consumer/trip-1"))
        #expect(Self.isToken(try #require(body["jwt"] as? String)))
        let expiration = try #require(body["expirationTimestamp"] as? NSNumber)
        #expect(Double(expiration.int64Value) == expiration.doubleValue)
        #expect(Self.remaining(milliseconds: expiration.intValue) > 3300)
    }

    /// The Android apps for riders and drivers, in Java and Kotlin: two longs, refreshed ten minutes early.
    @Test(arguments: ["/token/consumer/trip-1", "/token/driver/vehicle-1"])
    func onDemandAndroidApps(path: String) async throws {
        let body = try Self.dictionary(try await Self.get(path))
        #expect(Self.isToken(try #require(body["jwt"] as? String)))
        let creation = try #require(body["creationTimestamp"] as? Int)
        let expiration = try #require(body["expirationTimestamp"] as? Int)
        #expect(creation < expiration)
        #expect(Self.remaining(milliseconds: expiration - 600_000) > 0)
    }

    /// The Flutter driver app: each dialect's keys on its path, both timestamps integers.
    @Test(arguments: [
        ("/token/driver/vehicle-1", "jwt", "creationTimestamp", "expirationTimestamp"),
        ("/token/delivery_driver/van-1", "token", "creation_timestamp_ms", "expiration_timestamp_ms"),
    ])
    func flutterDriverApp(path: String, token: String, creation: String, expiration: String) async throws {
        let body = try Self.dictionary(try await Self.get(path))
        #expect(Self.isToken(try #require(body[token] as? String)))
        #expect(try #require(body[creation] as? Int) < (try #require(body[expiration] as? Int)))
    }

    /// The React page for riders: milliseconds, which it passes on as they are.
    @Test
    func onDemandReactPage() async throws {
        let body = try Self.dictionary(try await Self.get("/token/consumer/trip-1", origin: "http://localhost:3000"))
        #expect(Self.isToken(try #require(body["jwt"] as? String)))
        #expect(Self.remaining(milliseconds: try #require(body["expirationTimestamp"] as? Int)) > 3300)
    }

    /// The pages that read no expiry and assume 3,300 seconds.
    @Test(arguments: [("/token/consumer/trip-1", "jwt"), ("/token/delivery_consumer/parcel-1", "token")])
    func pagesThatAssumeALifetime(path: String, key: String) async throws {
        let body = try Self.dictionary(try await Self.get(path, origin: "http://localhost:4200"))
        #expect(Self.isToken(try #require(body[key] as? String)))
        #expect(Self.remaining(milliseconds: try #require(body["expirationTimestamp"] as? Int)) > 3300)
    }

    /// The last-mile app for iOS: snake case converted, so that a camel-case twin of a key would collide.
    @Test
    func lastMileSwiftApp() async throws {
        struct Body: Decodable {
            let token: String
            let creationTimestampMs: Int
            let expirationTimestampMs: Int
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = try decoder.decode(Body.self, from: try await Self.get("/token/delivery_driver/van-1"))
        #expect(Self.isToken(body.token))
        #expect(body.creationTimestampMs < body.expirationTimestampMs)
        #expect(Self.remaining(milliseconds: body.expirationTimestampMs) > 3300)
    }

    /// The last-mile apps for Android and React Native, and the on-demand one: a token a location update, no expiry.
    @Test(arguments: [
        ("/token/delivery_driver/van-1", "token"),
        ("/token/driver/vehicle-1", "jwt"),
        ("/token/driver/vehicle-1", "token"),
    ])
    func appsThatAskEachTime(path: String, key: String) async throws {
        let body = try Self.dictionary(try await Self.get(path))
        #expect(Self.isToken(try #require(body[key] as? String)))
    }

    /// The last-mile pages, for a recipient and for an operator.
    @Test(arguments: ["/token/delivery_consumer/parcel-1", "/token/fleet_reader", "/token/fleet_reader/"])
    func lastMilePages(path: String) async throws {
        let body = try Self.dictionary(try await Self.get(path, origin: "http://localhost:8081"))
        #expect(Self.isToken(try #require(body["token"] as? String)))
        #expect(Self.remaining(milliseconds: try #require(body["expiration_timestamp_ms"] as? Int)) > 3300)
    }

    private static func get(_ path: String, origin: String? = nil) async throws -> Data {
        let answer = try await DevelopmentService.request("GET", path, headers: origin.map { ["Origin: \($0)"] } ?? [])
        try #require(answer.status == 200)
        if let origin { #expect(answer["access-control-allow-origin"] == origin) }
        return Data(answer.body)
    }

    private static func dictionary(_ body: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }

    private static func isToken(_ text: String) -> Bool {
        text.split(separator: ".").count == 3
    }

    /// The seconds a token has left.
    private static func remaining(milliseconds: Int) -> Double {
        Double(milliseconds) / 1000 - Date().timeIntervalSince1970
    }
}
