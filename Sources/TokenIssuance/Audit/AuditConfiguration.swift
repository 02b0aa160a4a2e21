package import ServiceConfiguration

/// The record of decisions.
package struct AuditConfiguration: Sendable, Hashable {
    /// When a file's lines become durable, so that they survive a crash of the machine.
    package enum Sync: String, CaseIterable, Sendable {
        /// When the system writes them.
        case never
        /// Before their tokens are issued.
        case each
    }

    /// The file for the lines; nil for standard output.
    package var file: String?
    /// When a file's lines become durable.
    package var sync = Sync.never
    /// The file with the key with which IDs are recorded as HMAC-SHA-256, so that equal IDs can be found and none be read;
    /// nil to record IDs unchanged.
    package var keyFile: String?

    /// Creates the default: standard output, IDs as they are.
    package init() {}

    /// Creates the configuration by reading the settings that are there.
    package init(_ section: ConfigurationSection) {
        file = section["file"]?.file()
        let sync = section["sync"]
        self.sync = sync?.choice(Sync.self) ?? .never
        if self.sync != .never, file == nil { sync?.report("goes with audit.file.") }
        keyFile = section["idHmacKeyFile"]?.file()
    }
}
