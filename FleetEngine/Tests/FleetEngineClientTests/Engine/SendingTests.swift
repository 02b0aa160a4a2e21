import Foundation
import Testing

@testable import FleetEngineClient

struct SendingTests {
    @Test
    func `A backend's request has its token, and its response is returned`() async throws {
        let test = TestEngine([ScriptedResponse(body: #"{"name":"x"}"#)])
        let response = try await test.engine.send(
            "POST",
            path: ["trips"],
            query: ["tripId": "a b"],
            body: #"{"tripType":"SHARED"}"#,
            purpose: .server
        )
        #expect(response == Data(#"{"name":"x"}"#.utf8))
        let request = try #require(test.network.requests.first)
        #expect(request.method == "POST")
        #expect(request.url == "https://engine.example/v1/providers/demo/trips?tripId=a%20b")
        #expect(request.body == #"{"tripType":"SHARED"}"#)
        #expect(test.fetches.map(\.purpose) == [.server])
    }

    @Test
    func `A method with a colon is sent, and a parameter may be repeated`() async throws {
        let test = TestEngine([ScriptedResponse()])
        let query: KeyValuePairs = ["types": "A", "types": "B"]
        try await test.engine.send("POST", path: ["vehicles"], action: "search", query: query, purpose: .server)
        let url = test.network.requests.first?.url
        #expect(url == "https://engine.example/v1/providers/demo/vehicles:search?types=A&types=B")
    }

    @Test
    func `A refusal has the reason of its details`() async throws {
        let test = TestEngine([
            ScriptedResponse(
                status: 403,
                body:
                    #"{"error":{"status":"PERMISSION_DENIED","message":"No.","details":[{"reason":"CLAIM_MISMATCH"}]}}"#
            )
        ])
        let error = await #expect(throws: FleetEngineError.self) {
            try await test.engine.send("GET", path: ["trips", "t1"], purpose: .trip("t1"))
        }
        #expect(error?.reason == "CLAIM_MISMATCH")
        #expect(error?.httpStatus == 403)
    }

    @Test(arguments: ["", ".", "..", "x/y", "x:search", "x/../y", "x?y", "%2F"])
    func `An ID that is none is sent nowhere`(id: String) async throws {
        try await expectNoRequest(path: ["trips", id])
        try await expectNoRequest(path: [id, "x"])
    }

    @Test(arguments: ["", "a/b", "..", "search:x", "search?x"])
    func `An action that is not of letters is sent nowhere`(action: String) async throws {
        try await expectNoRequest(path: ["trips"], action: action)
    }

    private func expectNoRequest(path: [String], action: String? = nil) async throws {
        let test = TestEngine([ScriptedResponse()])
        let error = await #expect(throws: FleetEngineError.self) {
            try await test.engine.send("GET", path: path, action: action, purpose: .server)
        }
        #expect(error?.code == .invalidArgument)
        #expect(test.network.requests.isEmpty)
    }
}
