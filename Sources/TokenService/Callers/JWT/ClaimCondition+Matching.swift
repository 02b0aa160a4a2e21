import StrictCoding

extension ClaimCondition {
    /// Whether claims meet it: its value is the claim's, or an element where the claim is a list.
    func isMet(by claims: JSONObject) -> Bool {
        guard let last = path.last else { return false }
        var object = claims
        for name in path.dropLast() {
            guard let inner = object[name]?.objectValue else { return false }
            object = inner
        }
        guard let claim = object[last] else { return false }
        return claim == value || claim.arrayValue?.contains(value) ?? false
    }
}
