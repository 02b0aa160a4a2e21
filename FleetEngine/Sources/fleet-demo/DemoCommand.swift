import ArgumentParser
import FleetEngineClient
import Foundation

/// Drives a vehicle and follows its trip, against a token server and an emulator of Fleet Engine that run already.
@main
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet-demo",
        abstract: "Drives a vehicle and follows its trip on this machine.",
        usage: "make demo ARGS=\"[--fast] [--faults PROFILE] [--delivery]\"",
        discussion: "make demo starts it with all it needs: tokend and the emulator, on free ports."
    )

    // FleetEngine/demo.sh sets these.
    @Option(help: ArgumentHelp("The URL of tokend dev.", valueName: "url", visibility: .hidden))
    var tokens: String?

    @Option(help: ArgumentHelp("The address of the emulator.", valueName: "address", visibility: .hidden))
    var engine: String?

    @Flag(help: ArgumentHelp("Check the arguments, and do nothing.", visibility: .hidden))
    var check = false

    @Flag(help: "Play it in seconds.")
    var fast = false

    @Option(help: ArgumentHelp("What goes wrong: \(Faults.names).", valueName: "profile"))
    var faults = Faults.healthy

    @Flag(help: "Deliver a parcel instead of driving a rider.")
    var delivery = false

    func run() async throws {
        guard !check else { return }
        guard let tokens, let engine, let server = URL(string: tokens),
            let controlURL = URL(string: "http://\(engine)/_emulator")
        else { throw ValidationError("Start the demo with make demo: it needs a token server and an emulator.") }
        let time = DemoTime(speed: fast ? 20 : 1)
        let provider = DemoTokens(server: server)
        var configuration = FleetEngine.Configuration(emulatorHost: engine)
        configuration.timeout = 30
        configuration.sleep = time.sleep
        let world = World(
            time: time,
            tokens: provider,
            engine: FleetEngine(
                provider: "demo-fleet",
                configuration: configuration,
                token: { try await provider.token(for: $0, rejected: $1) }
            ),
            emulator: EmulatorControl(url: controlURL, time: time, transport: configuration.transport)
        )
        let clock = Task { await world.emulator.followClock() }
        defer { clock.cancel() }
        let narrator = Narrator(world, faults: faults)
        let isGood = try await delivery ? narrator.tellOfDelivery() : narrator.tellOfTrip()
        guard isGood else { throw ExitCode.failure }
    }
}
