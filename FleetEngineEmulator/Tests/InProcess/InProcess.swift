import FleetEngineClient
import FleetEngineEmulator
import Foundation
import TokenProvider

/// Runs emulators in its own process, as the tests of an app do, and says what happens.
///
///     InProcess FOLDER URL      the folder with the keys of `tokend dev`, and its URL
@main
enum InProcess {
    static func main() async throws {
        guard let server = URL(string: CommandLine.arguments[2]) else { throw URLError(.badURL) }
        var configuration = EmulatorConfiguration()
        configuration.keys = [.folder(CommandLine.arguments[1])]

        // The second is as the first: nothing of it remains.
        for run in 1...2 {
            let code = try await FleetEngineEmulator.run(configuration) { addresses in
                try await followMissingTrip(addresses, server)
            }
            print("run \(run): \(code)")
        }

        do {
            try await FleetEngineEmulator.run(configuration) { _ in throw URLError(.cannotOpenFile) }
        } catch {
            print("the body's error: \((error as? URLError)?.code == .cannotOpenFile)")
        }

        let inUse = try await FleetEngineEmulator.run(configuration) { [configuration] addresses in
            var second = configuration
            second.restPort = Int(addresses.rest.split(separator: ":")[1]) ?? 0
            return await fails { [second] in try await FleetEngineEmulator.run(second) { _ in } }
        }
        print("a port in use: \(inUse)")

        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let endless = Task { [configuration] in
            try await FleetEngineEmulator.run(configuration) { _ in
                continuation.finish()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        for await _ in started {}
        endless.cancel()
        print("canceled: \(await fails { try await endless.value })")
    }

    /// Returns the code of the first error of a rider who follows a trip that isn't there.
    private static func followMissingTrip(_ addresses: EmulatorAddresses, _ server: URL) async throws -> String {
        let engine = FleetEngine(
            provider: try ResourceID("demo-fleet"),
            tokens: CachingTokenProvider(server: server) { _ in [:] },
            configuration: FleetEngine.Configuration(emulatorHost: addresses.rest)
        )
        for await case .failed(let error) in engine.tripModel(for: try ResourceID("trip-1")).updates {
            return error.code.description
        }
        return "no error"
    }

    private static func fails(_ body: @Sendable () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return true
        }
    }
}
