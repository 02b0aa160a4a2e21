package import Crypto
import FleetToken
import JOSE
import StrictCoding

/// How the trail shows IDs, which are personal data.
package enum AuditIDs: Sendable {
    /// As they are.
    case plain
    /// As HMAC-SHA-256 under a key: the same ID looks the same each time, and only the key's owner can say which it is.
    case keyed(SymmetricKey)

    func text(of id: ResourceID) -> String {
        switch self {
        case .plain: id.rawValue
        case .keyed(let key):
            "hmac:" + Hexadecimal.text(HMAC<SHA256>.authenticationCode(for: Array(id.rawValue.utf8), using: key))
        }
    }
}
