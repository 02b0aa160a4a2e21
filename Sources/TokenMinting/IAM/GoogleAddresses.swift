import FleetToken
package import ServiceSupport

/// Where Google's services are.
package struct GoogleAddresses: Hashable, Sendable {
    /// The emulator's address, or nil to use Google.
    private let emulator: String?

    /// The metadata server of this machine.
    var metadata: String { emulator ?? "http://metadata.google.internal" }
    /// The OAuth server.
    var oauth: String { emulator ?? "https://oauth2.googleapis.com" }
    /// The IAM Service Account Credentials API.
    var credentials: String { emulator ?? "https://iamcredentials.googleapis.com" }
    /// Service accounts' public keys.
    var keys: String { emulator ?? "https://www.googleapis.com" }
    /// Fleet Engine, which is called for checks only.
    package var fleetEngine: String { emulator ?? "https://fleetengine.googleapis.com" }
    /// Whether they are an emulator's, not Google's.
    package var isEmulator: Bool { emulator != nil }

    /// Google's own.
    package static let google = GoogleAddresses(emulator: nil)
}

extension GoogleAddresses {
    /// The environment variable with the address of a Google emulator, for tests: `127.0.0.1:PORT`.
    static let emulatorVariable = "TOKEND_GOOGLE_EMULATOR_HOST"

    /// Returns Google's addresses, or those of the emulator that the environment names.
    ///
    /// Only `127.0.0.1:PORT` is allowed: any other server would receive signed assertions and could make any key
    /// trusted.
    ///
    /// - Throws: ``OperatorError`` when it names anything but a port of this machine.
    package static func chosen(by environment: [String: String]) throws(OperatorError) -> GoogleAddresses {
        guard let emulator = environment[emulatorVariable] else { return .google }
        let prefix = "127.0.0.1:"
        guard emulator.utf8.starts(with: prefix.utf8), case let port = emulator.utf8.dropFirst(prefix.utf8.count),
            port.allSatisfy(\.isASCIIDigit), let number = UInt16(Substring(port)), number > 0
        else {
            throw OperatorError(
                "\(emulatorVariable): The Google emulator is only for tests, and its address must be 127.0.0.1:PORT."
            )
        }
        return Self(emulator: "http://\(emulator)")
    }
}
