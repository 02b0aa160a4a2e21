import ArgumentParser
import FleetToken

#if canImport(FoundationEssentials)
import FoundationEssentials
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

    @Option(help: ArgumentHelp("The role of a service account; repeatable.", valueName: "address=role"))
    var role: [String] = []

    @Option(
        help: ArgumentHelp("The resources to begin with, in JSON.", valueName: "file"),
        completion: .file()
    )
    var seed: String?

    @Option(help: ArgumentHelp("The faults to begin with: flaky, outage, quota …", valueName: "profile"))
    var faults = "healthy"

    @Option(help: ArgumentHelp("The token server of the journey page.", valueName: "origin"))
    var tokenServer = "http://127.0.0.1:8080"

    @Flag(help: "Serve providers whose IDs do not begin with demo-, too.")
    var anyProvider = false

    @Flag(help: "Allow an address that other machines can reach, and requests to IP addresses and names without a dot.")
    var allowOtherMachines = false

    func validate() throws {
        guard (0...65535).contains(port) else {
            throw ValidationError("A port must be from 0 to 65535.")
        }
        guard role.allSatisfy({ $0.split(separator: "=").count == 2 }) else {
            throw ValidationError("--role must be an address and a role: driver@example.com=driverSdkUser.")
        }
    }

    /// Roles of service accounts by their addresses; the accounts of `tokend dev` have theirs.
    var roles: [String: String] {
        let pairs = role.map { $0.split(separator: "=").map(String.init) }
        return Dictionary(pairs.map { ($0[0], $0[1]) }) { $1 }
    }

    /// Reads the resources to begin with; nil for none.
    func seedContent() throws(EmulatorError) -> [UInt8]? {
        guard let seed else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: seed)) else {
            throw EmulatorError("There is no file \(seed) that can be read.")
        }
        return Array(data)
    }
}
