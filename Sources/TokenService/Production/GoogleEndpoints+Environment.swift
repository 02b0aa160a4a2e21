package import ServiceConfiguration
package import TokenMinting

extension GoogleEndpoints {
    /// The variable of the environment that names a stand-in for Google, for tests: `127.0.0.1:PORT`.
    static let emulatorVariable = "TOKEND_GOOGLE_EMULATOR_HOST"

    /// Google, or its stand-in where the environment names one.
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
