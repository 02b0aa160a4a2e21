import ArgumentParser
import Foundation
import StrictCoding
import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What can go wrong in the demo.
enum Faults: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Nothing.
    case healthy
    /// One request in ten fails, and many answers are late.
    case flaky
    /// Answers are lost and cut off.
    case lossy
    /// Fleet Engine is away for 30 seconds.
    case outage
    /// One request in five is over the quota.
    case quota
    /// The first update of the vehicle is refused.
    case firstUpdates = "first-updates"
    /// The keys of all tokens are revoked at Fleet Engine for 20 seconds.
    case revokedKeys = "revoked-keys"
    /// Fleet Engine's clock is two hours ahead for 20 seconds.
    case skewed

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The emulator's control plane.
struct EmulatorControl: Sendable {
    private let server: ServerURL
    /// The key set of the token server.
    private let keySet: URL
    private let sender = HTTPSender(.standard, timeout: 30, bodyLimit: 64 << 20)
    private let time: DemoTime

    init(_ url: URL, tokens: URL, time: DemoTime) throws {
        server = try ServerURL(url, allowsInsecureHTTP: false)
        keySet = tokens.appendingPathComponent(".well-known/jwks.json")
        self.time = time
    }

    /// Sends a request to the control plane.
    @discardableResult
    func send(
        _ method: String,
        _ path: String,
        query: [(name: String, value: String)] = [],
        _ body: String? = nil
    ) async throws -> JSONObject {
        guard let url = server.url(segments: ["_emulator", path], query: query) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let answer = try await sender.send(request)
        guard answer.status == 200 else { throw URLError(.badServerResponse) }
        return try JSONParser.parseObject(answer.body)
    }

    /// Keeps the emulator's clock at the demo's time.
    func followClock() async {
        guard time.speed != 1 else { return }
        var told = time.now
        while (try? await Task.sleep(for: .milliseconds(50))) != nil {
            let now = time.now
            let ahead = (now - told) * (1 - 1 / time.speed)
            told = now
            _ = try? await send("POST", "clock:advance", #"{"seconds":\#(ahead)}"#)
        }
    }

    /// Lets something go wrong, for as long as it takes.
    func inject(_ faults: Faults) async throws {
        switch faults {
        case .healthy: break
        case .flaky, .quota, .firstUpdates:
            try await send("PUT", "faults", #"{"seed":1,"profile":"\#(faults.rawValue)"}"#)
        case .lossy:
            try await send(
                "PUT",
                "faults",
                #"{"seed":1,"faults":[{"id":"reset","probability":0.05,"reset":true},"#
                    + #"{"id":"cut","probability":0.05,"truncate":true}]}"#
            )
        case .outage:
            try await send("PUT", "faults", #"{"seed":1,"profile":"outage"}"#)
            try await time.sleep(30)
            try await send("PUT", "faults", #"{"faults":[]}"#)
        case .revokedKeys: try await revokeKeys(for: 20)
        case .skewed:
            try await send("POST", "clock:advance", #"{"seconds":7200}"#)
            try await time.sleep(20)
            try await send("POST", "clock:advance", #"{"seconds":-7200}"#)
        }
    }

    /// Takes all keys from the emulator, and gives it the token server's again after a time.
    private func revokeKeys(for seconds: Double) async throws {
        try await send("PUT", "keys", #"{"keys":[]}"#)
        try await time.sleep(seconds)
        let answer = try await sender.send(URLRequest(url: keySet))
        try await send("PUT", "keys", String(decoding: answer.body, as: UTF8.self))
    }

    /// The refused requests: how many for each rule.
    func refusals() async throws -> [(rule: String, count: Int)] {
        let journal = try await send("GET", "requests", query: [("limit", "0")])
        return (journal["refused"]?.objectValue?.members ?? []).map { ($0.name, Int($0.value.integerValue ?? 0)) }
    }

    /// The number of requests so far.
    func requestCount() async throws -> Int {
        Int(try await send("GET", "requests", query: [("limit", "0")])["count"]?.integerValue ?? 0)
    }

    /// The rule and the message of the last refusal.
    func lastRefusal() async throws -> (rule: String, message: String)? {
        let journal = try await send("GET", "requests", query: [("refused", "true"), ("limit", "1")])
        guard let entry = journal["requests"]?.arrayValue?.first?.objectValue else { return nil }
        return (entry["rule"]?.stringValue ?? "", entry["message"]?.stringValue ?? "")
    }
}
