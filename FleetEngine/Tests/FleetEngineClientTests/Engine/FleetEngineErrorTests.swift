import Foundation
import Testing

@testable import FleetEngineClient

@Suite(.timeLimit(.minutes(1)))
struct FleetEngineErrorTests {
    private func error(_ response: EngineResponse) throws -> FleetEngineError {
        try #require(FleetEngineError(response, token: "secret-token"))
    }

    private func response(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> EngineResponse {
        EngineResponse(status: status, retryAfter: retryAfter, body: Array(body.utf8))
    }

    @Test(arguments: PollCases.shared.responses.filter { $0.name != nil })
    func `The guides' table: status, gRPC code, and whether the client recovers by itself`(
        _ example: PollCases.Response
    ) throws {
        let name = try #require(example.name)
        let body = #"{"error":{"code":\#(example.status),"message":"Why.","status":"\#(name)"}}"#
        let error = try error(response(example.status, body))
        #expect(error.code.rawValue == example.code)
        #expect(error.needsAction == !example.recovers)
        #expect(error.message == "Why.")
        #expect(error.httpStatus == example.status)
        #expect(error.localizedDescription == "Why.")
    }

    @Test(arguments: PollCases.shared.responses.filter { $0.name == nil })
    func `Without Google's error model, the status decides`(_ example: PollCases.Response) throws {
        for body in ["", "<html>", "[]", #"{"error":"no"}"#, #"{"error":{"status":"INTERRUPTED"}}"#] {
            let error = try error(response(example.status, body))
            #expect(error.code.rawValue == example.code)
            #expect(error.needsAction == !example.recovers)
        }
    }

    @Test(arguments: [301, 700])
    func `A status that is neither success nor error is unknown`(status: Int) throws {
        #expect(try error(response(status)).code == .unknown)
    }

    @Test
    func `Success is no error`() {
        #expect(FleetEngineError(response(200), token: "t") == nil)
    }

    @Test(
        arguments: [
            "Bad: secret-token", "a\\nb", String(repeating: "x", count: 501),
        ]
    )
    func `A message that repeats the token, has control characters or is long is dropped`(message: String) throws {
        let error = try error(response(403, #"{"error":{"message":"\#(message)","status":"PERMISSION_DENIED"}}"#))
        #expect(error.message == "HTTP status 403.")
        #expect(!"\(error) \(error as NSError)".contains("secret-token"))
    }

    @Test
    func `The delay comes from the header field or from RetryInfo`() throws {
        #expect(try error(response(429, retryAfter: "7")).retryAfter == 7)
        let info = #"{"error":{"status":"UNAVAILABLE","details":[{"@type":"x"},{"retryDelay":"3.5s"}]}}"#
        #expect(try error(response(503, info)).retryAfter == 3.5)
        #expect(try error(response(503, info.replacingOccurrences(of: "3.5s", with: "9999999s"))).retryAfter == 3600)
    }

    @Test(
        arguments: [
            (URLError.Code.timedOut, FleetEngineError.Code.deadlineExceeded), (.notConnectedToInternet, .unavailable),
            (.networkConnectionLost, .unavailable), (.cannotFindHost, .unavailable),
        ]
    )
    func `Network errors are recovered from`(cause: URLError.Code, code: FleetEngineError.Code) {
        let error = FleetEngineError(transport: URLError(cause))
        #expect(error.code == code)
        #expect(!error.needsAction)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct FleetEngineTests {
    private func poll(_ test: TestEngine) async throws -> FleetEngineError? {
        for await event in test.updates() {
            switch event {
            case .failed(let error): return error
            case .updated: return nil
            default: continue
            }
        }
        return nil
    }

    @Test
    func `An ID is part of the path and cannot change the destination`() async throws {
        let network = ScriptedNetwork([.trip("COMPLETE")])
        let test = TestEngine(network, provider: "my-project", server: "https://engine.example/base/")
        for await _ in test.updates("a@b=é") {}
        let url = network.requests.first?.url
        #expect(url == "https://engine.example/base/v1/providers/my-project/trips/a%40b%3D%C3%A9")
    }

    @Test(arguments: ["http://engine.example", "ftp://x", "https:"])
    func `Tokens are not sent over http to other hosts`(server: String) async throws {
        let test = TestEngine(ScriptedNetwork([.trip("NEW")]), server: server)
        #expect(try await poll(test)?.code == .invalidArgument)
        #expect(test.network.requests.isEmpty)
    }

    @Test(
        arguments: [
            "fleetengine.googleapis.com", "fleetengine.googleapis.com/", "FleetEngine.GoogleAPIs.com",
            "fleetengine.googleapis.com:443", "fleetengine.googleapis.com.", "fleetengine%2Egoogleapis.com",
            "fleetengine.googleapis.com/base",
        ]
    )
    func `A provider of the emulator's is never asked for at Google`(host: String) async throws {
        let test = TestEngine(
            ScriptedNetwork([.trip("NEW")]),
            provider: "demo-fleet",
            server: "https://\(host)"
        )
        #expect(try await poll(test)?.message.contains("emulator") == true)
        #expect(test.network.requests.isEmpty)
    }

    @Test(arguments: ["https://googleapis.com.example", "https://engine.example/fleetengine.googleapis.com"])
    func `A provider of the emulator's is asked for at other hosts`(server: String) async throws {
        let test = TestEngine(ScriptedNetwork([.trip("NEW")]), provider: "demo-fleet", server: server)
        #expect(try await poll(test) == nil)
    }

    @Test(
        arguments: [
            "localhost:9190": "http://localhost:9190", "http://10.0.2.2:9190": "http://10.0.2.2:9190",
        ]
    )
    func `The emulator's host is taken with and without a scheme`(host: String, server: String) {
        #expect(FleetEngine.Configuration(emulatorHost: host).server == server)
    }

    @Test(arguments: ["nonsense", ""])
    func `A response that is not JSON is a server error`(body: String) async throws {
        let test = TestEngine([ScriptedResponse(body: body)])
        #expect(try await poll(test)?.code == .internal)
    }

    @Test
    func `A token source that fails is reported by its own error, or as unavailable`() async throws {
        struct Offline: Error {}
        let errors: [(any Error, FleetEngineError.Code)] = [
            (FleetEngineError(.unauthenticated, "Sign in."), .unauthenticated), (Offline(), .unavailable),
        ]
        for (thrown, code) in errors {
            let engine = FleetEngine(provider: "p") { _, _ in throw thrown }
            var found: FleetEngineError.Code?
            for await case .failed(let error) in engine.updates(ofTrip: "t") {
                found = error.code
                break
            }
            #expect(found == code)
        }
    }

    @Test(arguments: ["..", "a/b", "a:b", "trip-1:search", "a*b", "", String(repeating: "a", count: 65)])
    func `An ID that could name something else is not sent`(id: String) async throws {
        let test = TestEngine([.trip("NEW")])
        for await case .failed(let error) in test.updates(id) {
            #expect(error.code == .invalidArgument)
            #expect(error.message.hasPrefix("This client does not send the ID. "))
            break
        }
        #expect(test.network.requests.isEmpty)
    }
}
