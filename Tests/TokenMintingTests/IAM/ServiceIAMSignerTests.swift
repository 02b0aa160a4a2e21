import FleetToken
import Logging
import ServiceSupport
import TestSupport
import TestTools
import Testing

@testable import TokenMinting

@Suite(.watchdog)
struct ServiceIAMSignerTests {
    private let prometheus = PrometheusMetrics()
    private let recorder = RecordedLog()

    private func signer(_ scene: Scene) -> ServiceIAMSigner {
        let clock = scene.client.clock
        let pool = SigningPool(threads: 1, metrics: prometheus, logger: recorder.logger, clock: clock)
        return ServiceIAMSigner(scene.signer(), reportingAs: pool)
    }

    @Test(arguments: ["a", nil])
    func failureIsMeasuredAndLoggedAndTheCallerIsToldToRetry(caller: String?) async throws {
        let scene = try Scene()
        scene.google.always(.signJWT) { _ in throw OutgoingError.failed("reset") }
        let signer = signer(scene)
        await #expect {
            try await signer.sign(payload: Array("{}".utf8), for: caller)
        } throws: { error in
            let error = error as? TokenError
            return error?.reason == .signerUnavailable && error?.retryAfter ?? 0 >= 1
        }
        let page = try ExpositionText(prometheus.page())
        #expect(page.value("fleet_token_sign_duration_seconds_count", ["signer": "iam", "result": "failed"]) == 1)
        #expect(page.value("fleet_token_sign_queue_seconds_count", ["signer": "iam"]) == 1)
        #expect(recorder.lines.map(\.level) == [.error])
    }
}
