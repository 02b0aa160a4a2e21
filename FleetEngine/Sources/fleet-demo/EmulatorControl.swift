import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The emulator's control plane.
struct EmulatorControl: Sendable {
    private let url: URL
    private let time: DemoTime

    init(url: URL, time: DemoTime) {
        self.url = url
        self.time = time
    }

    /// Sends a request to the control plane.
    @discardableResult
    func send(_ method: String, _ path: String, body: String? = nil) async throws -> Data {
        guard let url = URL(string: "\(url.absoluteString)/\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let (content, response) = try await URLSession.shared.response(to: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return content
    }

    /// Keeps the emulator's clock at the demo's time.
    func followClock() async {
        guard time.speed != 1 else { return }
        var told = time.now
        while (try? await Task.sleep(for: .milliseconds(50))) != nil {
            let now = time.now
            let ahead = (now - told) * (1 - 1 / time.speed)
            told = now
            _ = try? await send("POST", "clock:advance", body: #"{"seconds":\#(ahead)}"#)
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
