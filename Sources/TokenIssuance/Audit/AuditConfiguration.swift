package import ServiceConfiguration

/// The record of decisions.
package struct AuditConfiguration: Sendable, Hashable {
    /// The destination of the lines.
    package enum Sink: Sendable, Hashable {
        case standardOutput
        case file(String)
    }

    /// How IDs are recorded.
    package enum IDs: Sendable, Hashable {
        /// Unchanged.
        case plain
        /// As HMAC-SHA-256 with the key in a file, so that equal IDs can be found and none be read.
        case hmac(keyFile: String)
    }

    /// When a file's lines become durable, so that they survive a crash of the machine.
    package enum Sync: String, CaseIterable, Sendable {
        /// When the system writes them.
        case never
        /// Before their tokens are issued.
        case each
    }

    /// The destination of the lines.
    package var sink = Sink.standardOutput
    /// When a file's lines become durable.
    package var sync = Sync.never
    /// How IDs are recorded.
    package var ids = IDs.plain

    /// Creates the default: standard output, IDs as they are.
    package init() {}

    /// Creates the configuration by reading the settings that are there.
    package init(_ section: ConfigurationSection) {
        if let path = section["file"]?.file() { sink = .file(path) }
        let sync = section["sync"]
        self.sync = sync?.choice(Sync.self) ?? .never
        if self.sync != .never, sink == .standardOutput { sync?.report("goes with audit.file.") }
        if let keyFile = section["idHmacKeyFile"]?.file() { ids = .hmac(keyFile: keyFile) }
    }

    /// The file with the key for IDs; nil if there is none.
    package var keyFile: String? {
        if case .hmac(let path) = ids { path } else { nil }
    }
}
