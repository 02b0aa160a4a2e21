import ArgumentParser
import JOSE
import TokenService

/// How a new key is shown: never more than its public half.
enum KeyOutput: String, CaseIterable, ExpressibleByArgument {
    case text, json, jwks

    /// Writes a description of a key; `title` begins its line for people.
    func write(_ key: KeyInspection, title: String) throws {
        switch self {
        case .text: try Console.write("\(title): \(key.title).\n\(key.text)")
        case .json: try Console.write(key.json)
        case .jwks:
            var keys = JWKSet()
            try keys.insert(key.jwk)
            try Console.write(keys.encoded() + [UInt8(ascii: "\n")])
        }
    }
}
