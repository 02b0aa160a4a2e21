import ServiceConfiguration
import ServiceSupport

/// Where a key in a PKCS#11 token is.
package struct PKCS11Configuration: Sendable, Hashable {
    /// The path of the shared library that reaches the token.
    package var module: String
    /// The token's label.
    package var token: String
    /// The key's label.
    package var key: String
    /// The file with the token's user PIN.
    package var pinFile: String
}

extension PKCS11Configuration {
    /// Creates the configuration by reading the settings of a key.
    init?(_ section: ConfigurationSection) {
        let library = section.required("module")
        let module = library?.text()
        let token = section.required("token")?.text()
        let key = section.required("key")?.text()
        let pinFile = section.required("pinFile")?.file()
        guard let library, let module, let token, let key, let pinFile else { return nil }
        // A name alone would be looked for in places that the environment names.
        guard module.utf8.contains(UInt8(ascii: "/")) else {
            section.report("module must be a path, such as /usr/lib/softhsm/libsofthsm2.so.")
            return nil
        }
        guard token.utf8.count <= 32 else {
            section.report("token must be a label of at most 32 bytes.")
            return nil
        }
        self.init(module: library.resolved(module), token: token, key: key, pinFile: pinFile)
    }
}
