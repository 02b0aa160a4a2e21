import ServiceConfiguration
import StrictCoding

extension ClaimCondition {
    /// Whether claims meet it: its value is the claim's, or an element where the claim is a list.
    func isMet(by claims: JSONObject) -> Bool {
        guard let claim = claims.claim(at: path) else { return false }
        return claim == value || claim.arrayValue?.contains(value) ?? false
    }
}
