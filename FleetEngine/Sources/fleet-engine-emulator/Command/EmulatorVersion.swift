/// The emulator's version, which is that of the release.
enum EmulatorVersion {
    /// As the CHANGELOG has it.
    static let current = "0.1.0"
}
