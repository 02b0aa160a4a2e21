import ArgumentParser
import TokenService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which configuration; a flag goes before the environment variable.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: "The configuration file (YAML); or TOKEND_CONFIG.", completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    /// Reads and checks the configuration.
    func read() throws -> ProductionMode {
        guard let path = config ?? ProcessInfo.processInfo.environment["TOKEND_CONFIG"] else {
            throw ValidationError("Missing configuration file. Use --config FILE.")
        }
        return try ProductionMode(path: path)
    }
}
