import FleetToken
import Foundation
import Testing

/// The answer as each of Google's sample clients decodes it: the same keys, all required, of the same types.
@Suite struct SampleClientTests {
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJhIjoxfQ.c2ln"

    private static let body = Data(
        TokenResponse(
            token: Secret(token),
            issuedAt: Samples.now - 60,
            expiresAt: Samples.now + 3540,
            now: Samples.now
        ).encoded()
    )

    /// What a client got from the body; times are milliseconds, and nil where it reads none.
    struct Reading: Equatable {
        var token: String
        var creation: Int64?
        var expiration: Int64?
    }

    private static let times = Reading(token: token, creation: 1_795_211_460_000, expiration: 1_795_215_060_000)

    // MARK: Codable clients

    private struct OnDemandIOS: Decodable {
        let jwt: String
        let expirationTimestamp: Int64
    }

    private struct LastMileIOS: Decodable {
        let token: String
        let creationTimestampMs: Int64
        let expirationTimestampMs: Int64
    }

    @Test func onDemandIOSInSwift() throws {
        let answer = try JSONDecoder().decode(OnDemandIOS.self, from: Self.body)
        #expect(Reading(token: answer.jwt, expiration: answer.expirationTimestamp) == Self.read(creation: false))
    }

    @Test func lastMileIOSWithSnakeCase() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let answer = try decoder.decode(LastMileIOS.self, from: Self.body)
        let reading = Reading(
            token: answer.token,
            creation: answer.creationTimestampMs,
            expiration: answer.expirationTimestampMs
        )
        #expect(reading == Self.times)
    }

    /// Two keys that become one are decoded as one or the other, by chance.
    @Test func noTwoKeysBecomeOneWithoutSnakeCase() throws {
        let keys = try Self.object().keys
        let camelCase = keys.map { key in
            let words = key.split(separator: "_")
            return (words.prefix(1) + words.dropFirst().map { $0.capitalized[...] }).joined()
        }
        #expect(keys.count == 7)
        #expect(Set(camelCase).count == keys.count)
        #expect(Set(keys.map { $0.lowercased() }).count == keys.count)
    }

    // MARK: Clients that read a dictionary

    struct Client: Sendable, CustomTestStringConvertible {
        let name: String
        let tokenKey: String
        var creationKey: String?
        var expirationKey: String?

        var testDescription: String { name }
    }

    @Test(arguments: [
        Client(name: "on-demand iOS, Objective-C", tokenKey: "jwt", expirationKey: "expirationTimestamp"),
        Client(
            name: "on-demand Android",
            tokenKey: "jwt",
            creationKey: "creationTimestamp",
            expirationKey: "expirationTimestamp"
        ),
        Client(
            name: "Flutter on-demand",
            tokenKey: "jwt",
            creationKey: "creationTimestamp",
            expirationKey: "expirationTimestamp"
        ),
        Client(
            name: "Flutter last-mile",
            tokenKey: "token",
            creationKey: "creation_timestamp_ms",
            expirationKey: "expiration_timestamp_ms"
        ),
        Client(name: "React on-demand web", tokenKey: "jwt", expirationKey: "expirationTimestamp"),
        Client(name: "Angular on-demand web", tokenKey: "jwt"),
        Client(name: "React last-mile web", tokenKey: "token"),
        Client(name: "last-mile Android, React Native last-mile", tokenKey: "token"),
        Client(name: "React Native on-demand", tokenKey: "jwt"),
        Client(name: "React Native on-demand, migrated", tokenKey: "token"),
        Client(name: "last-mile web", tokenKey: "token", expirationKey: "expiration_timestamp_ms"),
    ])
    func readsItsKeys(client: Client) throws {
        let object = try Self.object()
        let reading = Reading(
            token: try #require(object[client.tokenKey] as? String),
            creation: try client.creationKey.map { try Self.integer(object[$0]) },
            expiration: try client.expirationKey.map { try Self.integer(object[$0]) }
        )
        #expect(reading == Self.read(creation: client.creationKey != nil, expiration: client.expirationKey != nil))
    }

    /// The JavaScript SDK's fetcher hands on the life left; the samples that read no expiry assume 3,300 seconds.
    @Test func theLifeLeftIsWhatTheSamplesAssume() throws {
        let seconds = try Self.integer(try Self.object()["expiresInSeconds"])
        #expect((3300...3600).contains(seconds))
    }

    @Test func timesAreExactInJavaScript() throws {
        for (key, value) in try Self.object() where value is NSNumber {
            #expect(try Self.integer(value) < 1 << 53, "\(key)")
        }
    }

    private static func read(creation: Bool = true, expiration: Bool = true) -> Reading {
        Reading(
            token: times.token,
            creation: creation ? times.creation : nil,
            expiration: expiration ? times.expiration : nil
        )
    }

    private static func object() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }

    /// A number that is written without fraction and exponent; Dart, Swift and Java's `getLong` want no other.
    private static func integer(_ value: Any?) throws -> Int64 {
        let number = try #require(value as? NSNumber)
        #expect(!["d", "f", "c", "B"].contains(String(cString: number.objCType)))
        return number.int64Value
    }
}
