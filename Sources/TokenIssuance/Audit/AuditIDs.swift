package import FleetToken
import JOSE
import StrictCoding

/// The form of IDs in the trail, which are personal data.
package enum AuditIDs: Sendable {
    /// Unchanged.
    case plain
    /// As HMAC-SHA-256 with a key: equal IDs give equal values, and only the key's owner can identify them.
    case keyed(Secret)

    func text(of id: ResourceID) -> String {
        switch self {
        case .plain: id.rawValue
        case .keyed(let key):
            "hmac:" + Hexadecimal.text(HMACSHA256.code(for: Array(id.rawValue.utf8), key: key.reveal()))
        }
    }
}
