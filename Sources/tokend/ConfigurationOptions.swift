import ArgumentParser
import Foundation
import TokenService

/// Which configuration; a flag goes before the environment variable.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: "The configuration, a YAML file; or TOKEND_CONFIG.", completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    /// Reads and checks the configuration.
    func read() throws -> ProductionMode {
        guard let path = config ?? ProcessInfo.processInfo.environment["TOKEND_CONFIG"] else {
            throw ValidationError("Name the configuration: --config FILE")
        }
        return try ProductionMode(path: path)
    }
}
