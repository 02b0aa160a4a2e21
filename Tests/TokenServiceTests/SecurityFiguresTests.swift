import Foundation
import NIOCore
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

/// The figures of SECURITY.md are those of the code.
struct SecurityFiguresTests {
    private static let lines = try? String(
        contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../SECURITY.md"),
        encoding: .utf8
    ).split(separator: "\n").map(String.init)

    private static let words = [1: "one", 2: "two", 4: "a quarter", 8: "eight", 10: "ten"]

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
            ("callers remembered", "\(number(VerifiedCallers.maximumCount)) callers"),
            ("connections of one address", ConnectionPolicy().share == 8 ? "an eighth" : "?"),
            ("bytes of a connection", "\(ConnectionPolicy.maximumHeaderSize / 1024) KiB of head"),
            ("bytes of a connection", "\(ConnectionPolicy.maximumBodySize / 1024) KiB of body"),
        ]
    )
    func `A figure of SECURITY.md is the constant that it states`(row: String, figure: String) throws {
        let line = try #require(Self.lines?.first { $0.hasPrefix("| \(row)") })
        #expect(line.contains(figure))
    }
}
