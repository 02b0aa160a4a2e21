/// The settings for signing with keys in this process.
package struct SigningConfiguration: Sendable, Hashable {
    /// Whether batch signing is in use.
    package enum Batch: String, CaseIterable, Sendable {
        /// Where that is possible and faster.
        case auto
        /// Never.
        case off
        /// Always: the service does not start without.
        case required
    }

    package var batch = Batch.auto
    /// The file of the library crypto_mb; nil where the system's loader finds it.
    package var library: String?

    /// Creates the settings.
    package init(batch: Batch = .auto, library: String? = nil) {
        self.batch = batch
        self.library = library
    }
}
