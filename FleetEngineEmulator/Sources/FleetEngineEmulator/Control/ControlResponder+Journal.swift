#if Emulator
import HTTPServer
import StrictCoding
import SwiftProtobuf

extension ControlResponder {
    /// The journal: `{"count", "refused": {rule: count}, "requests": […]}`; `?refused=true` lists refusals only, and
    /// `?limit=N` the last N.
    func requests(_ target: RequestTarget) -> [UInt8] {
        let parameter = { (name: String) in target.parameters.first { $0.name == name }?.value }
        let contents = engine.journal.contents
        var entries = contents.entries
        if parameter("refused") == "true" { entries.removeAll { $0.error == nil } }
        if let limit = parameter("limit").flatMap({ Int($0) }), limit >= 0 { entries = entries.suffix(limit) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("count")
            writer.integer(contents.count)
            writer.name("refused")
            writer.object { writer in
                for (rule, count) in contents.refused.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    writer.name(text: rule.reason)
                    writer.integer(count)
                }
            }
            writer.name("requests")
            writer.array { writer in
                for entry in entries { entry.write(to: &writer) }
            }
        }
        return writer.bytes
    }
}

extension Journal.Entry {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("number")
            writer.integer(number)
            writer.name("time")
            writer.integer(time.seconds)
            writer.name("transport")
            writer.string(transport.rawValue)
            writer.name("method")
            writer.string(method)
            writer.name("resource")
            writer.string(resource)
            if let account {
                writer.name("account")
                writer.string(account)
            }
            writer.name("status")
            writer.string(error?.code.name ?? "OK")
            if let error {
                writer.name("rule")
                writer.string(error.rule.reason)
                writer.name("message")
                writer.string(error.message)
            }
            if !faults.isEmpty {
                writer.name("faults")
                writer.array { writer in
                    for fault in faults { writer.string(fault) }
                }
            }
        }
    }
}
#endif
