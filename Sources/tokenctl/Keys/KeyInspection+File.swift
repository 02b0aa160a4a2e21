import TokenMinting

extension KeyInspection {
    /// Reads a file; an error begins with its path.
    init(ofFileAt path: String) throws {
        let bytes = try KeyFile.read(path)
        do {
            try self.init(of: bytes)
        } catch {
            throw CommandError(error, in: path) ?? error
        }
    }
}
