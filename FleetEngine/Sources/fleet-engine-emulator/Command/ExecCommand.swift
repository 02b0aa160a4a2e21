import ArgumentParser
import FleetToken
import ServiceLifecycle

/// Runs a command beside the emulator, and ends with its status.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run a command while the emulator runs, and end with its status.",
        discussion: """
            The command starts when the emulator is ready, with this variable in its environment:

              FLEET_ENGINE_EMULATOR_HOST          where it listens, HOST:PORT

            Signals are passed on to it. With --port 0, several can run at once.

            EXAMPLE:
              fleet-engine-emulator exec --keys keys --seed state.json -- pytest tests
            """
    )

    @OptionGroup
    var options: EmulatorOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The command and its arguments, after --.", valueName: "command")
    )
    var command: [String]

    func run() async throws {
        let status = try await options.run(beside: command)
        guard status == 0 else { throw ExitCode(status) }
    }
}
