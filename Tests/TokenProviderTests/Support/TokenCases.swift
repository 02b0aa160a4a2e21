import Foundation

@testable import TokenProvider

/// The table of rules that the tests of `web/token-fetcher.js` read as well.
struct TokenCases: Decodable, Sendable {
    struct Cases<Example: Decodable & Sendable>: Decodable, Sendable {
        let cases: [Example]
    }

    /// How long a token is used.
    struct Lifespan: Decodable, Sendable {
        let what: String
        let lifetime: Double
        let usable: Double
        /// When its refresh is due, at the earliest and at the latest.
        let fresh: [Double]
    }

    struct Backoff: Decodable, Sendable {
        let failures: Int
        let longest: Double
    }

    /// The pause after a failure that names a delay.
    struct Pause: Decodable, Sendable {
        let retryAfter: Double
        let failures: Int
        let jitter: Double
        let pause: Double
    }

    /// Many scopes and one server.
    struct Outages: Decodable, Sendable {
        let stories: [OutageStory]
    }

    struct OutageStory: Decodable, Sendable {
        let what: String
        let steps: [OutageStep]
    }

    /// What happens, in this order: time passes, the server or the network changes, tokens or pauses are dropped, and scopes
    /// call.
    struct OutageStep: Decodable, Sendable {
        let after: Double?
        let status: Int?
        /// Those of the scopes, in order, instead of `status`.
        let statuses: [Int]?
        let retryAfter: Double?
        /// Those of the scopes, in order, instead of `retryAfter`.
        let retryAfters: [Double]?
        let offline: Bool?
        let removeAll: Bool?
        let credentialsDidChange: Bool?
        let retryNow: Bool?
        /// The numbers of the first and the last trip that is called for.
        let scopes: [Int]
        /// The error of all calls; nil if all get tokens.
        let error: String?
        /// Those of the scopes, in order, instead of `error`.
        let errors: [String]?
        /// The number of fetches so far.
        let fetches: Int
    }

    struct RetryAfter: Decodable, Sendable {
        struct Example: Decodable, Sendable {
            let field: String
            let seconds: Double?
        }

        /// The server's `Date`.
        let date: String
        let cases: [Example]
    }

    struct Remaining: Decodable, Sendable {
        let what: String
        let secondsFromNow: Double?
        let expiresAt: Double?
        let issuedAt: Double?
        let serverClock: Double?
        let deviceClock: Double
        let seconds: Double
    }

    struct Status: Decodable, Sendable {
        let status: Int
        /// `Location`.
        let location: String?
        let code: String
    }

    /// A server's response, without its token.
    struct Answer: Decodable, Sendable {
        let format: String
        let tokenKey: String
        let members: [String: Double]
        /// The token's remaining lifetime, if it is not the others'.
        let lifetime: Double?
    }

    struct Formats: Decodable, Sendable {
        let serverClock: Int64
        let lifetime: Double
        let cases: [Answer]
    }

    /// What a token server accepts, and what is sent to it.
    struct Credentials: Decodable, Sendable {
        let what: String
        let accepted: String
        /// What renewing returns; nil for an error.
        let renewed: String?
        /// How many calls' credentials fail before anything is sent: none by default.
        let failures: Int?
        /// The number of calls, one after the other: one by default.
        let calls: Int?
        /// Whether `retryNow` is called after each.
        let retryNow: Bool?
        let sent: [String]
        let error: String?
    }

    struct Story: Decodable, Sendable {
        let what: String
        let steps: [Step]
    }

    /// What happens, in this order: time passes, the server changes, tokens are dropped, and callers call.
    struct Step: Decodable, Sendable {
        let after: Double?
        let setClock: Double?
        let status: Int?
        let retryAfter: Double?
        let lifetime: Double?
        /// The number of the token that is rejected.
        let invalidate: Int?
        let removeAll: Bool?
        let retryNow: Bool?
        let callers: Int?
        /// The number of the token that callers get.
        let call: Int?
        /// The error that they get instead.
        let error: String?
        /// The number of fetches so far.
        let fetches: Int
        /// Whether the last fetch required a new token.
        let mustBeNew: Bool?
    }

    let lifespans: [Lifespan]
    let backoffs: [Backoff]
    let pauses: Cases<Pause>
    let outages: Outages
    let retryAfter: RetryAfter
    let remainingLifetimes: [Remaining]
    let statuses: [Status]
    let formats: Formats
    let wrongUnits: Cases<Answer>
    let credentials: Cases<Credentials>
    let stories: [Story]

    static let shared: TokenCases = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        do {
            let data = try Data(contentsOf: root.appendingPathComponent("Tests/TokenCases/cases.json"))
            return try JSONDecoder().decode(TokenCases.self, from: data)
        } catch {
            // Without the table no test can run: the process ends with the reason.
            preconditionFailure("Tests/TokenCases/cases.json: \(error)")
        }
    }()
}
