import TokenMinting

extension KeyInspection {
    /// Creates an inspection of a file; errors begin with its path.
    init(ofFileAt path: String) throws {
        let bytes = try KeyFile.read(path)
        do {
            try self.init(of: bytes)
        } catch {
            throw CommandError(error, in: path) ?? error
        }
    }
}
