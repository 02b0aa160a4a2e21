import ArgumentParser
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What can go wrong in the demo.
enum Faults: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Nothing.
    case healthy
    /// One request in ten fails, and many responses are late.
    case flaky
    /// Responses are lost and cut off.
    case lossy
    /// Fleet Engine is unavailable for 30 seconds.
    case outage
    /// One request in five is over the quota.
    case quota
    /// The first update of the vehicle is refused.
    case firstUpdates = "first-updates"
    /// Fleet Engine's clock is two hours ahead for 20 seconds.
    case skewed

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

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
        case .flaky, .quota, .firstUpdates:
            try await send("PUT", "faults", body: #"{"seed":1,"profile":"\#(faults.rawValue)"}"#)
        case .lossy:
            try await send(
                "PUT",
                "faults",
                body: #"{"seed":1,"faults":[{"id":"reset","probability":0.05,"reset":true},"#
                    + #"{"id":"cut","probability":0.05,"truncate":true}]}"#
            )
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
