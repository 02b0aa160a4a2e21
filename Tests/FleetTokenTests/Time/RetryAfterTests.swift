import Foundation
import Testing

@testable import FleetToken

/// The table of cases that the clients read as well.
struct RetryAfterTests {
    private struct Table: Decodable {
        struct Example: Decodable {
            let field: String
            let seconds: Double?
        }

        struct Cases: Decodable {
            let date: String
            let cases: [Example]
        }

        let retryAfter: Cases
    }

    private static func table() throws -> Table.Cases {
        let file = URL(filePath: #filePath).appending(path: "../../../TokenCases/cases.json").standardized
        return try JSONDecoder().decode(Table.self, from: try Data(contentsOf: file)).retryAfter
    }

    @Test
    func `A Retry-After is a number of seconds or a date, and at most an hour`() throws {
        let table = try Self.table()
        let date = try #require(HTTPDate.parse(table.date))
        #expect(table.cases.count >= 30)
        for example in table.cases {
            #expect(RetryAfter.seconds(example.field, date: date) == example.seconds, "\(example.field)")
        }
    }

    @Test(arguments: [("20", 20), ("300.5", 300), ("86400", 300), (nil, nil)] as [(String?, Double?)])
    func `A caller's own maximum counts`(field: String?, seconds: Double?) {
        #expect(RetryAfter.seconds(field, date: nil, maximum: 300) == seconds)
    }

    @Test
    func `A date without the server's clock counts as none`() {
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:50:37 GMT", date: nil) == nil)
    }
}
