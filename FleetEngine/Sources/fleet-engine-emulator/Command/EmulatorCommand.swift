import ArgumentParser
import FleetToken

/// Runs the emulator until a signal ends it.
@main
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet-engine-emulator",
        abstract: "A Fleet Engine on this machine, for tests.",
        discussion: """
            It serves the REST API of Google's Fleet Engine, and verifies tokens as Google documents it. Each \
            account needs a key; it knows the roles of tokend dev's accounts, and others need one.

            EXAMPLES:
              fleet-engine-emulator --keys keys
              fleet-engine-emulator --account driver.json --role driver@demo-fleet.iam.gserviceaccount.com=driverSdkUser
              fleet-engine-emulator exec --keys keys -- pytest tests
            """,
        version: "fleet-engine-emulator \(EmulatorVersion.current)",
        subcommands: [ExecCommand.self]
    )

    @OptionGroup
    var options: EmulatorOptions

    func run() async throws {
        try await options.run()
    }
}
