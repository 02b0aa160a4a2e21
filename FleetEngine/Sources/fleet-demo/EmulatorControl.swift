import FleetEngineClient
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The emulator's control plane.
struct EmulatorControl: Sendable {
    let url: URL
    let time: DemoTime
    let transport: FleetEngine.Configuration.Transport

    /// Sends a request to the control plane.
    private func send(_ method: String, _ path: String, body: String? = nil) async throws {
        guard let url = URL(string: "\(url.absoluteString)/\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let (_, response) = try await transport(request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    }

    /// Keeps the emulator's clock at the demo's time.
    func followClock() async {
        guard time.speed != 1 else { return }
        var told = time.now
        while (try? await Task.sleep(for: .milliseconds(50))) != nil {
            let now = time.now
            let ahead = (now - told) * (1 - 1 / time.speed)
            // What the emulator missed is told with the next request.
            if (try? await send("POST", "clock:advance", body: #"{"seconds":\#(ahead)}"#)) != nil { told = now }
        }
    }

    /// Lets something go wrong, for as long as it takes.
    func inject(_ faults: Faults) async throws {
        switch faults {
        case .healthy: break
        case .flaky, .lossy, .quota, .firstUpdates:
            try await send("PUT", "faults", body: #"{"seed":1,"profile":"\#(faults.rawValue)"}"#)
        case .outage:
            try await send("PUT", "faults", body: #"{"seed":1,"profile":"outage"}"#)
            try await time.sleep(30)
            try await send("DELETE", "faults")
        case .skewed:
            try await send("POST", "clock:advance", body: #"{"seconds":7200}"#)
            try await time.sleep(20)
            try await send("POST", "clock:advance", body: #"{"seconds":-7200}"#)
        }
    }
}
