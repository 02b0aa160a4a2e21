import ArgumentParser
import JOSE
import ServiceSupport
import ServiceTools

/// How a key is shown: never more than its public half.
enum KeyOutput: String, CaseIterable, ExpressibleByArgument {
    case text, json, jwks

    /// Writes a description of a key; `title` begins its line for people.
    func write(_ key: KeyInspection, title: String, exposure: String? = nil) throws {
        switch self {
        case .text: try Console.write("\(title): \(key.title).\n\(key.text)")
        case .json: try Console.write(key.json(warnings: exposure.map { [$0] } ?? []))
        case .jwks:
            var keys = JWKSet()
            try keys.insert(key.jwk)
            try Console.write(keys.encoded() + [UInt8(ascii: "\n")])
        }
    }
}

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
