import ServiceConfiguration
package import ServiceSupport
package import TokenMinting

extension GoogleEndpoints {
    /// The environment variable with the address of a Google emulator, for tests: `127.0.0.1:PORT`.
    static let emulatorVariable = "TOKEND_GOOGLE_EMULATOR_HOST"

    /// Returns Google's endpoints, or those of the emulator that the environment names.
    ///
    /// - Throws: ``ConfigurationError`` when it names anything but a port of this machine.
    package static func chosen(by environment: [String: String]) throws(ConfigurationError) -> GoogleEndpoints {
        guard let emulator = environment[emulatorVariable] else { return .google }
        do {
            return try GoogleEndpoints(emulator: emulator)
        } catch {
            throw ConfigurationError("\(emulatorVariable): \(error)")
        }
    }
}
