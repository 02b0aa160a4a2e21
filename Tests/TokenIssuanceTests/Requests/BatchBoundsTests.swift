import FleetToken
import HTTPTypes
import Testing

@testable import TokenIssuance

struct BatchBoundsTests {
    private func scope(_ tasks: [String]) throws -> TokenScope {
        try TokenScope(kind: .deliveryServer, id: nil, taskIDs: tasks)
    }

    @Test
    func `A batch may have 50 tasks, with 4,096 bytes of IDs together; a million are refused after a few`() throws {
        let tooMany = TokenError(
            .invalidID,
            "Too many task IDs: at most 50, and 4096 bytes in total. Request one token per batch."
        )
        let ids = (1...51).map { "t-\($0)" }
        #expect(try scope(Array(ids.dropLast())).ids.map(\.rawValue) == Array(ids.dropLast()))
        #expect(throws: tooMany) { try scope(ids) }
        #expect(throws: tooMany) { try scope(Array(repeating: "task", count: 1_000_000)) }
        // Of a body, too many are read so that the reason is told.
        let body = Array(#"{"kind":"delivery_server","taskIds":["\#(ids.joined(separator: #"",""#))"]}"#.utf8)
        let json: HTTPFields = [.contentType: "application/json"]
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/token", headerFields: json)
        #expect(throws: tooMany) { try RoutedRequest(kind: nil) { body }.read(head) }
        // Of 256 bytes each.
        let longest = (0..<16).map { number in
            String(repeating: "𝒳", count: 63) + String(UnicodeScalar(0x1D4D0 + number) ?? "x")
        }
        #expect(try scope(longest).ids.count == 16)
        #expect(throws: tooMany) { try scope(longest + ["a"]) }
    }
}
