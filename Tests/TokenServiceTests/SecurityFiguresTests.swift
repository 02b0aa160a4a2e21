import Foundation
import NIOCore
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenMinting
@testable import TokenService

/// The figures of SECURITY.md and of other pages are those of the code.
struct SecurityFiguresTests {
    private static let lines = text(of: "SECURITY.md")?.split(separator: "\n").map(String.init)

    private static let words = [4: "four", 10: "ten"]

    private static func text(of page: String) -> String? {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try? String(contentsOf: root.appending(path: page), encoding: .utf8)
    }

    private static func number(_ value: some BinaryInteger) -> String {
        let digits = String(value)
        return digits.count > 3 ? digits.dropLast(3) + "," + digits.suffix(3) : digits
    }

    private static func rate(_ rate: LimitsConfiguration.Rate) -> String {
        "\(number(Int(rate.burst))) at once and \(number(Int(rate.perMinute) / 60)) a second"
    }

    @Test(
        arguments: [
            ("lines in the audit trail", rate(CallerLimits.lineRate)),
            (
                "key sets fetched of an issuer",
                "one in \(words[Int(KeySetPlan.refetchInterval / .seconds(1))] ?? "?") seconds"
            ),
            ("requests that wait for an issuer's keys", "\(KeySetPlan.policy.maximumWaiting)"),
            ("token buckets remembered", "\(number(RateLimiter.maximumBuckets)) addresses"),
            ("connections of one address", ConnectionPolicy().share == 8 ? "an eighth" : "?"),
            ("bytes of a connection", "\(ConnectionPolicy.maximumHeaderSize / 1024) KiB of head"),
            ("bytes of a connection", "\(ConnectionPolicy.maximumBodySize / 1024) KiB of body"),
        ]
    )
    func `A figure of SECURITY.md is the constant that it states`(row: String, figure: String) throws {
        let line = try #require(Self.lines?.first { $0.hasPrefix("| \(row)") })
        #expect(line.contains(figure))
    }

    @Test(
        arguments: [
            ("docs/decisions.md", "A token is reused for \(words[Int(ReusingMinter.seconds) / 60] ?? "?") minutes"),
            ("docs/operate.md", "signed in the last \(words[Int(ReusingMinter.seconds) / 60] ?? "?") minutes"),
            ("docs/operate.md", "its last keys are \(KeySetPlan.maxStale == .seconds(86_400) ? "a day" : "?") old"),
        ]
    )
    func `A figure of a page is the constant that it states`(page: String, sentence: String) throws {
        let text = try #require(Self.text(of: page))
        #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(sentence))
    }
}
