/// What is wrong with a setting, or why the emulator cannot start.
struct EmulatorError: Error, CustomStringConvertible {
    let description: String

    /// Creates an error that says what to do.
    init(_ description: String) {
        self.description = description
    }
}
