package import ServiceSupport
import StrictCoding

/// Where Google's services are.
package struct GoogleEndpoints: Hashable, Sendable {
    /// The metadata server of this machine.
    let metadata: String
    /// The OAuth server.
    let oauth: String
    /// The IAM Service Account Credentials API.
    let credentials: String
    /// Service accounts' public keys.
    let keys: String
    /// Whether they are an emulator's, not Google's.
    package let isEmulator: Bool

    /// Google's own.
    package static let google = GoogleEndpoints(
        metadata: "http://metadata.google.internal",
        oauth: "https://oauth2.googleapis.com",
        credentials: "https://iamcredentials.googleapis.com",
        keys: "https://www.googleapis.com",
        isEmulator: false
    )
}

extension GoogleEndpoints {
    /// The environment variable with the address of a Google emulator, for tests: `127.0.0.1:PORT`.
    static let emulatorVariable = "TOKEND_GOOGLE_EMULATOR_HOST"

    /// Returns Google's endpoints, or those of the emulator that the environment names.
    ///
    /// Only `127.0.0.1:PORT` is allowed: any other server would receive signed assertions and could make any key
    /// trusted.
    ///
    /// - Throws: ``ConfigurationError`` when it names anything but a port of this machine.
    package static func chosen(by environment: [String: String]) throws(ConfigurationError) -> GoogleEndpoints {
        guard let emulator = environment[emulatorVariable] else { return .google }
        let prefix = "127.0.0.1:"
        guard emulator.utf8.starts(with: prefix.utf8), case let port = emulator.utf8.dropFirst(prefix.utf8.count),
            port.allSatisfy(\.isASCIIDigit), let number = UInt16(Substring(port)), number > 0
        else {
            throw ConfigurationError(
                "\(emulatorVariable): The Google emulator is only for tests, and its address must be 127.0.0.1:PORT."
            )
        }
        let url = "http://\(emulator)"
        return Self(metadata: url, oauth: url, credentials: url, keys: url, isEmulator: true)
    }
}
