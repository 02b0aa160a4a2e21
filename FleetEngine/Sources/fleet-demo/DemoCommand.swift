import ArgumentParser
import FleetEngineClient
import Foundation

/// Drives a vehicle and follows its trip, against a token server and an emulator of Fleet Engine that run already.
@main
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet-demo",
        abstract: "Drives a vehicle and follows its trip on this machine.",
        discussion: "make demo starts it with all it needs: tokend and the emulator, on free ports."
    )

    @Option(help: ArgumentHelp("The URL of tokend dev.", valueName: "url"))
    var tokens: String

    @Option(help: ArgumentHelp("The address of the emulator.", valueName: "address"))
    var engine: String

    @Flag(help: "Deliver a parcel instead of driving a rider.")
    var delivery = false

    func run() async throws {
        guard let server = URL(string: tokens) else { throw ValidationError("\(tokens) is not a URL.") }
        let tokens = DemoTokens(server: server)
        let engine = FleetEngine(
            provider: "demo-fleet",
            configuration: FleetEngine.Configuration(emulatorHost: engine),
            token: { try await tokens.token(for: $0, rejected: $1) }
        )
        let demo = Demo(engine: engine, tokens: tokens)
        let isComplete = try await delivery ? demo.runDelivery() : demo.runTrip()
        guard isComplete else { throw ExitCode.failure }
    }
}
