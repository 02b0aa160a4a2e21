import FleetToken
import StrictCoding

extension RefusalSummary {
    /// Returns the JSON line that records them, without the fields that depend on its position in the trail.
    ///
    /// - Parameter time: When it is written.
    /// - Returns: The line of a decision, with `since` and `count` instead of a request ID, kind and IDs.
    func line(at time: NumericDate) -> AuditLineDraft {
        var (method, name, subject, address) = ("none", "", "", "")
        switch origin {
        case .caller(let known, let caller, let holder):
            (method, name, subject) = (known.rawValue, caller, holder)
        case .address(let network): address = network
        case .others: break
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time", time.seconds)
            writer.member("since", since.seconds)
            writer.member("method", method)
            writer.member("caller", name)
            writer.member("subject", subject)
            writer.member("address", address)
            writer.member("decision", AuditRecord.Decision(reason).rawValue)
            writer.member("rule", reason.rawValue)
            writer.member("count", Int64(count))
        }
        return AuditLineDraft(object: writer.bytes)
    }
}
