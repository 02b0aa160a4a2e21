/// The emulator's version, which is that of the release.
package enum EmulatorVersion {
    /// As the CHANGELOG has it.
    package static let current = "0.1.0"
}
