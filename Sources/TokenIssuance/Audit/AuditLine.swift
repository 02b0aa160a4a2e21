import FleetToken

/// A line of the audit trail, without its position.
///
/// The writer adds the instance and the sequence number, so that a line that is missing leaves a gap.
package struct AuditLine: Sendable {
    /// The beginning of each line, up to the instance.
    static let opening = Array(#"{"v":1,"instance":""#.utf8)
    private static let sequence = Array(#"","sequence":"#.utf8)

    /// A JSON object with the line's own members.
    let object: [UInt8]

    /// Creates a line of a JSON object.
    init(object: [UInt8]) {
        self.object = object
    }

    /// The line's length, about.
    var size: Int { object.count + 128 }

    /// Appends the whole line and its line feed.
    func append(to bytes: inout [UInt8], instance: String, sequence: UInt64) {
        bytes.append(contentsOf: Self.opening)
        bytes.append(contentsOf: instance.utf8)
        bytes.append(contentsOf: Self.sequence)
        bytes.append(decimal: sequence)
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: object.dropFirst())
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension AuditLine {
    /// The first or the last line of an instance, without which lines at its end could be missing unnoticed.
    enum Event: String {
        case started, stopped
    }

    /// Creates the line of an event.
    init(_ event: Event, at time: NumericDate) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time", time.seconds)
            writer.member("event", event.rawValue)
        }
        self.init(object: writer.bytes)
    }
}
