import FleetToken
import StrictCoding

extension RefusalSummary {
    /// Returns the JSON line that records them, without the fields that depend on its position in the trail.
    ///
    /// - Parameter time: When it is written.
    /// - Returns: The line of a decision, with `since` and `count` instead of a request ID, kind and IDs.
    func line(at time: NumericDate) -> AuditLineDraft {
        var (method, name, subject, address) = ("none", "", "", "")
        switch party {
        case .caller(let known, let caller, let holder):
            (method, name, subject) = (known.rawValue, caller, holder)
        case .address(let network): address = network
        case .others: break
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("time")
            writer.integer(time.seconds)
            writer.name("since")
            writer.integer(since.seconds)
            writer.name("method")
            writer.string(method)
            writer.name("caller")
            writer.string(name)
            writer.name("subject")
            writer.string(subject)
            writer.name("address")
            writer.string(address)
            writer.name("decision")
            writer.string(AuditRecord.Decision(reason).rawValue)
            writer.name("rule")
            writer.string(reason.rawValue)
            writer.name("count")
            writer.integer(Int64(count))
        }
        return AuditLineDraft(object: writer.bytes)
    }
}
