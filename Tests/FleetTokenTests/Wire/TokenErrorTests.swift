import FleetToken
import Foundation
import Testing

struct TokenErrorTests {
    /// The reasons of docs/openapi.yaml, each with its code and status.
    private static func rows() throws -> [(code: Int, status: String, name: String)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let page = try String(contentsOf: root.appendingPathComponent("docs/openapi.yaml"), encoding: .utf8)
        let response = /\n    '(\d+)':\n      description: \|\n.+\n\n +`(\w+)`: ([^.]+)\./
        return page.matches(of: response).flatMap { match in
            match.3.matches(of: /\w+/).map { (code: Int(match.1) ?? 0, status: "\(match.2)", name: "\($0.0)") }
        }
    }

    @Test
    func `The body of each reason has its code and status, as docs/openapi.yaml says`() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.name).sorted() == TokenError.Reason.all.map(\.rawValue).sorted())
        for (code, status, name) in rows {
            guard let reason = TokenError.Reason.all.first(where: { $0.rawValue == name }) else { continue }
            let body = TokenError(reason, "Do this.", retryAfter: 5).encoded(requestID: "req-1")
            let expected = """
                {"error":{"code":\(code),"status":"\(status)","message":"Do this.","details":[{\
                "@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\(name)","domain":"fleet-token",\
                "metadata":{"requestId":"req-1"}}]}}
                """
            #expect(String(decoding: body, as: UTF8.self) == expected)
        }
    }

    @Test
    func `The description is the reason and the message`() {
        #expect("\(TokenError(.rateLimited, "Try again.", retryAfter: 5))" == "RATE_LIMITED: Try again.")
    }
}
