import FleetToken
import JOSE
import TokenMinting

/// Makes tokens of any header and payload, with a genuine signature.
enum Forge {
    static let header = #"{"alg":"RS256","typ":"JWT","kid":"key-1"}"#

    static func token(
        header: String = header,
        payload: [UInt8],
        account: ServiceAccount
    ) throws -> [UInt8] {
        let input = Base64URL.encode(Array(header.utf8)) + Array(".".utf8) + Base64URL.encode(payload)
        return input + Array(".".utf8) + Base64URL.encode(try account.key.signature(for: input))
    }
}
