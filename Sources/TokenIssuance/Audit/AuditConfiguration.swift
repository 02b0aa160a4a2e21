package import ServiceSupport

/// The record of decisions.
package struct AuditConfiguration: Sendable, Hashable {
    /// The file for the lines; nil for standard output.
    package var file: String?

    /// Creates the default: standard output.
    package init() {}

    /// Creates the configuration by reading the settings that are there.
    package init(_ section: ConfigurationSection) {
        file = section["file"]?.file()
    }
}
