import FleetPlan
import Foundation

/// Simulates a fleet: some vehicles against a `tokend`, or a fleet of any size without sockets.
///
///     swift run FleetSimulator http://127.0.0.1:8080 20
///     swift run FleetSimulator http://127.0.0.1:8080 900 1000 10
///     swift run FleetSimulator plan docs
///
/// With a URL, vehicles need a token every second for a number of seconds; the third argument is their number, and the
/// fourth the seconds between two calls of each. With `plan` and the folder that has `performance.json` and `scale.json`,
/// it prints what fleets of three sizes need, and writes the diagrams of one into a file, the third argument.
@main
enum FleetSimulator {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let numbers = arguments.dropFirst().map { Double($0) ?? 0 }
        switch arguments.first {
        case "plan": try printPlan(of: arguments.dropFirst())
        default: await drive(arguments.first, numbers)
        }
    }

    /// Drives vehicles against a server.
    private static func drive(_ server: String?, _ numbers: [Double]) async {
        guard let server = URL(string: server ?? "http://127.0.0.1:8080") else {
            return print("The first argument is the token server's URL.")
        }
        let vehicles = numbers.dropFirst().first.map { Int($0) }
        let fleet = LiveFleet(server: server, vehicles: vehicles ?? 5, isQuiet: vehicles != nil)
        await fleet.drive(seconds: numbers.first ?? 10, interval: numbers.dropFirst(2).first ?? 1)
        print(fleet.statistics)
    }

    private static func printPlan(of paths: ArraySlice<String>) throws {
        let folder = URL(fileURLWithPath: paths.first ?? "docs")
        let benchmark = try Data(contentsOf: folder.appendingPathComponent("performance.json"))
        let run = try Data(contentsOf: folder.appendingPathComponent("scale.json"))
        let plan = Plan(costs: try Costs(benchmark: benchmark, run: run))
        print(Table(plan, vehicles: [1_000, 100_000, 1_000_000]))
        guard let picture = paths.dropFirst().first else { return }
        try "\(Picture(plan, vehicles: 100_000))\n".write(toFile: picture, atomically: true, encoding: .utf8)
    }
}
