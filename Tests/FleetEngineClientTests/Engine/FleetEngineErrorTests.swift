import Foundation
import TestTraits
import Testing

@testable import FleetEngineClient
@testable import TokenProvider

@Suite("Errors of Fleet Engine", .watchdog)
struct FleetEngineErrorTests {
    private func error(_ answer: TransferResponse) throws -> FleetEngineError {
        let token = Token(Secret("secret-token"), scope: .server, expirationDate: .distantFuture)
        return try #require(FleetEngineError(answer, token: token))
    }

    private func answer(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> TransferResponse {
        TransferResponse(status: status, retryAfter: retryAfter, body: Array(body.utf8))
    }

    @Test(
        "The guides' table: status, gRPC code, and whether the client recovers by itself",
        arguments: [
            (400, "INVALID_ARGUMENT", 3, false), (401, "UNAUTHENTICATED", 16, false),
            (403, "PERMISSION_DENIED", 7, false),
            (404, "NOT_FOUND", 5, false), (409, "ALREADY_EXISTS", 6, false), (409, "ABORTED", 10, true),
            (400, "FAILED_PRECONDITION", 9, false), (429, "RESOURCE_EXHAUSTED", 8, false), (499, "CANCELLED", 1, true),
            (500, "INTERNAL", 13, true), (501, "UNIMPLEMENTED", 12, false), (503, "UNAVAILABLE", 14, true),
            (504, "DEADLINE_EXCEEDED", 4, true), (500, "DATA_LOSS", 15, true), (400, "OUT_OF_RANGE", 11, false),
            (500, "UNKNOWN", 2, true),
        ]
    )
    func table(status: Int, name: String, number: Int, isAutomatic: Bool) throws {
        let error = try error(answer(status, #"{"error":{"code":\#(status),"message":"Why.","status":"\#(name)"}}"#))
        #expect(error.code.description == name)
        #expect(error.code.number == number)
        #expect(error.recovery == (isAutomatic ? .retry : .needsAction))
        #expect(error.message == "Why.")
        #expect(error.httpStatus == status)
        #expect(error.localizedDescription == "Why.")
    }

    @Test(
        "Without Google's error model, the status decides",
        arguments: [
            (400, 3), (401, 16), (403, 7), (404, 5), (408, 4), (409, 10), (418, 3), (429, 8), (500, 13), (502, 14),
            (503, 14),
            (504, 4), (301, 2), (599, 14), (700, 2),
        ]
    )
    func statusAlone(status: Int, number: Int) throws {
        for body in ["", "<html>", "[]", #"{"error":"no"}"#, #"{"error":{"status":"INTERRUPTED"}}"#] {
            #expect(try error(answer(status, body)).code.number == number)
        }
    }

    @Test("Success is no error")
    func success() {
        let token = Token(Secret("t"), scope: .server, expirationDate: .distantFuture)
        #expect(FleetEngineError(answer(200), token: token) == nil)
    }

    @Test(
        "A message that repeats the token, has control characters or is long is dropped",
        arguments: [
            "Bad: secret-token", "a\\nb", String(repeating: "x", count: 501),
        ]
    )
    func messages(message: String) throws {
        let error = try error(answer(403, #"{"error":{"message":"\#(message)","status":"PERMISSION_DENIED"}}"#))
        #expect(error.message == "HTTP status 403.")
        #expect(!"\(error) \(error as NSError)".contains("secret-token"))
    }

    @Test("The delay comes from the header field or from RetryInfo")
    func delays() throws {
        #expect(try error(answer(429, retryAfter: "7")).retryAfter == 7)
        let info = #"{"error":{"status":"UNAVAILABLE","details":[{"@type":"x"},{"retryDelay":"3.5s"}]}}"#
        #expect(try error(answer(503, info)).retryAfter == 3.5)
        #expect(try error(answer(503, info.replacingOccurrences(of: "3.5s", with: "9999999s"))).retryAfter == 3600)
    }

    @Test(
        "Network errors are recovered from",
        arguments: [
            (URLError.Code.timedOut, 4), (.notConnectedToInternet, 14), (.networkConnectionLost, 14),
            (.cannotFindHost, 14),
        ]
    )
    func network(code: URLError.Code, number: Int) {
        let error = FleetEngineError(transport: URLError(code))
        #expect(error.code.number == number)
        #expect(error.recovery == .retry)
    }

    @Test(
        "A redirection that was followed, an untrusted certificate and a wrong setting need action",
        arguments: [TokenProviderError.Code.redirected, .insecureConnection, .invalidConfiguration]
    )
    func needsAction(code: TokenProviderError.Code) {
        let error = FleetEngineError(transport: TokenProviderError(code, "Do this."))
        #expect(error.code == .failedPrecondition)
        #expect(error.message == "Do this.")
    }

    @Test(
        "A missing token has the class of its error",
        arguments: [
            (TokenProviderError.Code.offline, 14), (.unavailable, 14), (.deadlineExceeded, 4), (.resourceExhausted, 8),
            (.unauthenticated, 16), (.tokenRejected, 16), (.permissionDenied, 7), (.notFound, 5), (.invalidArgument, 3),
            (.invalidConfiguration, 3), (.insecureConnection, 16), (.removed, 14), (.cancelled, 1),
        ]
    )
    func tokens(code: TokenProviderError.Code, number: Int) {
        let error = FleetEngineError(token: TokenProviderError(code, "Do this.", retryAfter: 4))
        #expect(error.code.number == number)
        #expect(error.tokenError?.code == code)
        #expect(error.retryAfter == 4)
    }
}

@Suite("Requests to Fleet Engine", .watchdog)
struct FleetEngineTests {
    private func poll(_ test: TestEngine) async throws -> FleetEngineError? {
        for await event in try test.model().updates {
            switch event {
            case .failed(let error): return error
            case .updated: return nil
            default: continue
            }
        }
        return nil
    }

    @Test("An ID is part of the path and cannot change the destination")
    func paths() async throws {
        let network = ScriptedNetwork([.trip("COMPLETE")])
        let test = try TestEngine(network, provider: "my-project", server: "https://engine.example/base/")
        for await _ in try test.model("a@b=é").updates {}
        let url = network.requests.first?.url
        #expect(url == "https://engine.example/base/v1/providers/my-project/trips/a%40b%3D%C3%A9")
    }

    @Test("Tokens are not sent over http to other hosts", arguments: ["http://engine.example", "ftp://x", "https:"])
    func insecure(server: String) async throws {
        let test = try TestEngine(ScriptedNetwork([.trip("NEW")]), server: server)
        #expect(try await poll(test)?.code == .invalidArgument)
        #expect(test.network.requests.isEmpty)
    }

    @Test("A provider of the emulator's is never asked for at Google")
    func demo() async throws {
        let test = try TestEngine(
            ScriptedNetwork([.trip("NEW")]),
            provider: "demo-fleet",
            server: "https://fleetengine.googleapis.com"
        )
        #expect(try await poll(test)?.message.contains("emulator") == true)
        #expect(test.network.requests.isEmpty)
    }

    @Test(
        "The emulator's host is taken with and without a scheme",
        arguments: [
            "localhost:9190": "http://localhost:9190", "http://10.0.2.2:9190": "http://10.0.2.2:9190",
        ]
    )
    func emulator(host: String, server: String) {
        #expect(FleetEngine.Configuration(emulatorHost: host).server.absoluteString == server)
    }

    @Test("A response that is too large or not JSON is a server error", arguments: ["nonsense", ""])
    func garbage(body: String) async throws {
        let test = try TestEngine([ScriptedAnswer(body: body)])
        #expect(try await poll(test)?.code == .internal)
    }

    @Test("A lost connection and a refused token fetch are told apart")
    func failures() async throws {
        let lost = try TestEngine(ScriptedNetwork { _, _ in throw URLError(.networkConnectionLost) })
        let error = try await poll(lost)
        #expect(error?.code == .unavailable)
        #expect(error?.tokenError == nil)
    }
}
