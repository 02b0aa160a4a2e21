import ServiceConfiguration
import StrictCoding

extension ClaimCondition {
    /// Returns whether claims meet the condition: the claim equals the value, or is a list that contains it.
    func isMet(by claims: JSONObject) -> Bool {
        guard let claim = claims.claim(at: path) else { return false }
        return claim == value || claim.arrayValue?.contains(value) ?? false
    }
}
