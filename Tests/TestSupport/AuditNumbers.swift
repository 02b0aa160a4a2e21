import FleetToken

/// Follows an audit trail by its description alone: the lines of each instance are numbered from 1.
package enum AuditNumbers {
    /// Finds the lines that are no audit lines, or whose number does not follow that of the instance's line before.
    ///
    /// - Parameter trail: The trail's bytes.
    /// - Returns: The numbers of these lines in the trail, from 1.
    package static func faults(_ trail: [UInt8]) -> [Int] {
        var lines = trail.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // What follows the last line's end is a line, if there is anything.
        if lines.last?.isEmpty == true { lines.removeLast() }
        var last: [String: Int64] = [:]
        return lines.indices.filter { index in
            guard let object = try? JSONParser.parseObject(lines[index]), object["v"] == .integer(1),
                let instance = object["instance"]?.stringValue, let number = object["sequence"]?.integerValue
            else { return true }
            defer { last[instance] = number }
            return number != (last[instance] ?? 0) + 1
        }.map { $0 + 1 }
    }
}
