import FleetToken
import Foundation
import TestTools
import Testing

@testable import TokenProvider

/// A token server that checks each request strictly, and responds as `tokend` does or as a test says.
final class FakeTokenServer: Sendable {
    /// Returns the response to send, from the request and `tokend`'s response.
    typealias Script = @Sendable (LoopbackRequest, LoopbackResponse) -> LoopbackResponse

    private struct State {
        let requests = Journal<LoopbackRequest>()
        var violations: [String] = []
        var script: Script?
        var clock = NumericDate.now.seconds
    }

    private let state: Lock<State>
    private let server: Lock<LoopbackServer?>
    let url: URL

    /// Starts a server, whose clock shows the present.
    init() throws {
        let state = Lock(State())
        self.state = state
        let server = try LoopbackServer { Self.answer($0, state) }
        self.server = Lock(server)
        url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    }

    deinit {
        stop()
    }

    func stop() {
        server.withLock { $0 }?.stop()
    }

    /// Starts the server again at the same address.
    func restart() throws {
        let port = UInt16(try #require(url.port))
        let state = state
        let restarted = try LoopbackServer(port: port) { Self.answer($0, state) }
        server.withLock { $0 = restarted }
    }

    /// Sets the server's clock to a number of seconds from the present.
    func setClock(by seconds: Int64) {
        state.withLock { $0.clock = NumericDate.now.seconds + seconds }
    }

    /// All requests so far.
    var requests: [LoopbackRequest] { state.withLock { $0.requests }.entries }

    /// Waits until a total number of requests have come.
    func waitForRequests(_ count: Int) async throws {
        try await state.withLock { $0.requests }.wait(for: count)
    }

    /// The rules that requests have broken.
    var violations: [String] { state.withLock { $0.violations } }

    /// Changes all further responses; nil restores those of `tokend`.
    func misbehave(_ script: Script?) {
        state.withLock { $0.script = script }
    }

    /// Answers every request with a status.
    func answer(_ status: Int, _ fields: [(String, String)] = []) {
        misbehave { _, proper in
            var response = proper
            response.status = status
            response.body = Array(#"{"error":{"code":\#(status),"message":"SECRET of the body"}}"#.utf8)
            response.fields += fields
            return response
        }
    }

    private static func answer(_ request: LoopbackRequest, _ state: Lock<State>) -> LoopbackResponse {
        let now = NumericDate(seconds: state.withLock { $0.clock })
        var response = LoopbackResponse()
        response.fields = [
            ("Date", HTTPDateText.imf(Date(timeIntervalSince1970: TimeInterval(now.seconds)))),
            ("Cache-Control", "no-store"),
        ]
        do {
            let scope = try RequestedScope.read(request)
            response.body = TokenResponse(for: scope, now: now).encoded()
            response.fields.append(("Content-Type", "application/json"))
        } catch {
            state.withLock { $0.violations.append("\(request.method) \(request.target): \(error)") }
            response.status = 400
        }
        let (script, requests) = state.withLock { ($0.script, $0.requests) }
        requests.append(request)
        return script?(request, response) ?? response
    }
}

/// The scope that a request is for, read as strictly as the service reads it.
enum RequestedScope {
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    static func read(_ request: LoopbackRequest) throws -> FleetToken.TokenScope {
        try check(request["host"] != nil, "one Host")
        try check(request["accept"] == "application/json", "Accept: application/json, once")
        try check(Set(request.fields.map(\.name)).count == request.fields.count, "each field once")
        try check(
            request.target.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") },
            "a target in ASCII"
        )
        let parts = request.target.components(separatedBy: "?")
        try check(parts.count <= 2, "at most one query")
        let segments = parts[0].components(separatedBy: "/")
        try check((3...4).contains(segments.count) && segments[0].isEmpty && segments[1] == "token", "/token/kind/id")
        let kind = try #require(TokenKind(rawValue: segments[2]), "a kind")
        let id = try segments.count == 4 ? decoded(segments[3]) : nil
        try check(request.method == "GET" && request.body.isEmpty, "GET without a body")
        let tasks = try parts.dropFirst().map { query in
            try check(query.hasPrefix("taskId="), "no parameter but taskId")
            return try decoded(String(query.dropFirst("taskId=".count)))
        }
        return try FleetToken.TokenScope(kind: kind, id: id, taskIDs: tasks)
    }

    private static func check(_ holds: Bool, _ rule: String) throws {
        guard holds else { throw Violation(description: "expected \(rule)") }
    }

    /// Decodes a segment whose reserved characters are all percent-encoded.
    private static func decoded(_ segment: String) throws -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%"
        )
        try check(segment.unicodeScalars.allSatisfy(unreserved.contains), "unreserved characters")
        return try #require(segment.removingPercentEncoding, "percent-encoded UTF-8")
    }
}
