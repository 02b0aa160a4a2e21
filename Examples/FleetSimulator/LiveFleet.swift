import Foundation
import TokenProvider

/// Vehicles that each need a token at intervals, as in a backend or a load test.
struct LiveFleet {
    let statistics = Statistics()
    private let vehicles: Int
    private let isQuiet: Bool
    private let tokens: CachingTokenProvider

    init(server: URL, vehicles: Int, isQuiet: Bool) {
        self.vehicles = vehicles
        self.isQuiet = isQuiet
        var configuration = CachingTokenProvider.Configuration()
        configuration.capacity = max(vehicles, configuration.capacity)
        // One provider serves all vehicles: each has its own token, and no two fetches of one token run at once.
        tokens = CachingTokenProvider(
            server: server,
            configuration: configuration,
            observer: { [statistics] in statistics.note($0) }
        ) { _ in
            // A server in development mode needs no credentials; a production server needs those of this backend.
            ProcessInfo.processInfo.environment["FLEET_TOKEN_API_KEY"].map { ["X-API-Key": $0] } ?? [:]
        }
    }

    /// Lets all vehicles report their positions at intervals, for a number of seconds.
    func drive(seconds: Double, interval: Double) async {
        await withTaskGroup { group in
            for number in 1...vehicles {
                group.addTask {
                    // The vehicles of a large fleet begin at different times.
                    if isQuiet { try? await Task.sleep(for: .seconds(.random(in: 0..<interval))) }
                    await drive("vehicle-\(number)", seconds: seconds, interval: interval)
                }
            }
        }
    }

    private func drive(_ name: String, seconds: Double, interval: Double) async {
        let start = ContinuousClock.now
        for report in 0..<Int(seconds / interval) {
            do {
                let token = try await tokens.token(for: .driver(vehicle: ResourceID(name)))
                try await reportPosition(of: name, token: token)
            } catch let error as TokenProviderError where error.needsAction {
                return print("\(name): \(error)")
            } catch {
                if !isQuiet { print("\(name): \(error); goes on") }
            }
            try? await Task.sleep(until: start + .seconds(Double(report + 1) * interval))
        }
    }

    /// A real fleet calls Fleet Engine here, with `Authorization: Bearer …`.
    private func reportPosition(of name: String, token: Token) async throws {
        if !isQuiet { print("\(name): reports with a token that lives until \(token.expirationDate)") }
    }
}
