import Foundation

/// What a test needs of the machine.
public enum Requirement {
    /// Whether a test runs: where what it needs is there, and always in CI, where it then fails instead of being skipped.
    ///
    /// - Parameter isMet: Whether what the test needs is there.
    /// - Returns: The condition for `.enabled(if:)`.
    public static func runs(where isMet: Bool) -> Bool {
        isMet || !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
    }

    /// Whether a test that needs a file runs.
    public static func runs(with path: String) -> Bool {
        runs(where: FileManager.default.fileExists(atPath: path))
    }
}
