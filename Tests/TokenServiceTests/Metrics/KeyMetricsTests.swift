import FleetToken
import JOSE
import StrictCoding
import TestSupport
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenService

@Suite("The metric of the keys that there are")
struct KeyMetricsTests {
    private let metrics = ServiceMetrics()
    private let now = NumericDate(seconds: 1_800_000_000)

    private func signer(_ keyID: String) throws -> LocalSigner {
        let account = try ServiceAccount(json: try KeySite.account(keyID))
        return LocalSigner(account)
    }

    private func series() throws -> [[String: String]] {
        let samples = try ExpositionText(metrics.registry.render()).metrics["fleet_token_key_info"]?.samples ?? []
        #expect(samples.allSatisfy { $0.value == 1 })
        return samples.map(\.labels).sorted { ($0["kid"] ?? "") < ($1["kid"] ?? "") }
    }

    @Test("The metric has the current keys and no others")
    func keysComeAndGo() throws {
        #expect(try series() == [])
        let ring = KeyRing(current: try signer("a"), next: try signer("b"), from: now, previous: try signer("z"))
        metrics.keys.show([.driver: ring], at: now - 1)
        #expect(
            try series() == [
                ["kind": "driver", "kid": "a", "state": "current"], ["kind": "driver", "kid": "b", "state": "next"],
                ["kind": "driver", "kid": "z", "state": "previous"],
            ]
        )
        metrics.keys.show([.driver: ring], at: now)
        #expect(
            try series() == [
                ["kind": "driver", "kid": "a", "state": "previous"],
                ["kind": "driver", "kid": "b", "state": "current"],
                ["kind": "driver", "kid": "z", "state": "previous"],
            ]
        )
        metrics.keys.show([.consumer: KeyRing(current: try signer("c"))], at: now)
        #expect(try series() == [["kind": "consumer", "kid": "c", "state": "current"]])
    }

    @Test("Another signing key is logged once")
    func keyThatSignsIsLoggedWhenItBeginsTo() throws {
        let recorder = RecordedLog()
        let ring = KeyRing(current: try signer("a"), next: try signer("b"), from: now)
        for time in [now - 2, now - 1, now, now + 1] {
            metrics.keys.show([.driver: ring], at: time, logger: recorder.logger)
        }
        let keys = recorder.lines.map { $0.metadata["kid"] }
        // The first is no change.
        #expect(keys == ["b"])
    }
}
