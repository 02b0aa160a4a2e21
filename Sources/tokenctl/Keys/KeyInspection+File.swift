import ServiceSupport
import ServiceTools
import TokenMinting

extension KeyInspection {
    /// Creates an inspection of a file; errors begin with its path.
    init(ofFileAt path: String) throws {
        try self.init(try KeyFile.read(path), from: path)
    }

    init(ofStandardInput: Void) throws {
        try self.init(try Input.read("-", atMost: KeyFile.maximumSize + 1), from: "standard input")
    }

    private init(_ bytes: [UInt8], from source: String) throws {
        do {
            try self.init(of: bytes)
        } catch {
            throw CommandError(error, in: source) ?? error
        }
    }
}
