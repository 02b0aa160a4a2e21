import FleetToken
import Foundation
import TestTools
import Testing

@testable import TokenIssuance
@testable import TokenMinting

/// The table of refusals: what is charged, recorded and logged is what each row says, and the page has the same rows.
@Suite(.watchdog)
struct RefusalRuleTests {
    @Test(arguments: RefusalRule.allCases)
    func `A refusal is charged, recorded and counted as its row says`(rule: RefusalRule) async throws {
        let scene = try PipelineScene(ending: rule)
        let before = rule == .overAddressLimit ? 0 : 100
        let refusal = try #require(try await scene.send().first?.refusal)
        #expect(refusal.rule == rule)
        #expect(refusal.isLogged == (rule.log != .nothing))
        #expect(scene.lines.count == (rule.audit == .line ? 1 : 0))
        #expect(scene.left == before - (rule.charged == .address ? 1 : 0))
    }

    @Test(arguments: RefusalRule.allCases.filter { $0.log == .few })
    func `Past a limit the access log has few lines`(rule: RefusalRule) async throws {
        let scene = try PipelineScene(ending: rule)
        let isLogged = try await scene.send(12).map { $0.refusal?.isLogged }
        #expect(isLogged == Array(repeating: true, count: 10) + [false, false])
    }

    @Test(
        arguments: [
            .permanent("The role is missing."), .temporary("The quota is exhausted.", after: .seconds(7)),
        ] as [IAMError]
    )
    func `A failure of Google's is 503 to callers, and its reason is for the log`(error: IAMError) {
        let refusal = Refusal(notMinted: error)
        #expect(refusal.error.reason == .signerUnavailable && refusal.error.retryAfter == error.retryAfter)
        #expect(!refusal.error.message.contains(error.description))
        #expect(refusal.cause as? IAMError == error)
    }

    @Test
    func `docs/architecture.md has the table's rows`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let page = try String(contentsOf: root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").compactMap { line -> [String]? in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let name = cells[0].split(separator: "`").first else { return nil }
            return RefusalRule(rawValue: String(name)).map { [$0.rawValue] + cells.dropFirst() }
        }
        #expect(rows == RefusalRule.allCases.map { [$0.rawValue, "\($0.charged)", "\($0.audit)", "\($0.log)"] })
    }
}
