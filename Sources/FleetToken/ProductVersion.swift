/// The version of the programs and of the package.
package enum ProductVersion {
    /// The version of this build, as the CHANGELOG has it.
    package static let current = "0.1.0"
}
