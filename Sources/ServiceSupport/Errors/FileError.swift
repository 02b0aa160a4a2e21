/// Why a file cannot be read, written or trusted.
///
/// Its text is for the operator, never for a caller.
package struct FileError: LoggableError, Hashable {
    /// The file, the problem and its solution, without any of the file's content.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
