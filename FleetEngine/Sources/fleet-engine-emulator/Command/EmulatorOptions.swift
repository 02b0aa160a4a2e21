import ArgumentParser
import FleetToken

#if canImport(FoundationEssentials)
import FoundationEssentials
import Glibc
#else
import Foundation
#endif

/// The options of both ways to run the emulator.
struct EmulatorOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port; 0 selects any free port.", valueName: "port"))
    var port = 9190

    @Option(
        help: ArgumentHelp("A folder of service accounts' key files; repeatable.", valueName: "folder"),
        completion: .directory
    )
    var keys: [String] = []

    @Option(help: ArgumentHelp("A service account's key file; repeatable.", valueName: "file"), completion: .file())
    var account: [String] = []

    @Option(
        help: ArgumentHelp("The role of a service account; repeatable.", valueName: "address=role"),
        transform: RoleAssignment.init
    )
    var role: [RoleAssignment] = []

    @Option(
        help: ArgumentHelp("The resources to begin with, in JSON.", valueName: "file"),
        completion: .file()
    )
    var seed: String?

    @Option(help: ArgumentHelp("The faults to begin with.", valueName: "profile"))
    var faults = FaultProfile.healthy

    @Option(help: ArgumentHelp("The token server of the journey page.", valueName: "origin"))
    var tokenServer = "http://127.0.0.1:8080"

    func validate() throws {
        guard (0...65535).contains(port) else {
            throw ValidationError("A port must be from 0 to 65535.")
        }
    }

    /// Creates the core of the emulator.
    ///
    /// - Throws: ``EmulatorError`` that names the option.
    func engine() throws(EmulatorError) -> Engine {
        let accounts = try Accounts(
            folders: keys,
            files: account,
            roles: Dictionary(role.map { ($0.address, $0.role) }) { $1 },
            warn: { Self.say("Warning: \($0)\n", to: STDERR_FILENO) }
        )
        let seed = try self.seed.map(Self.content)
        do throws(EngineError) {
            return try Engine(
                accounts: accounts,
                faults: FaultPlan(faults.faults),
                seed: try seed.map { content throws(EngineError) in try Tables.seed.read(body: content) } ?? Message()
            )
        } catch {
            throw EmulatorError("--seed \(self.seed ?? ""): \(error.message)")
        }
    }

    private static func content(_ path: String) throws(EmulatorError) -> [UInt8] {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw EmulatorError("There is no file \(path) that can be read.")
        }
        return Array(data)
    }
}
