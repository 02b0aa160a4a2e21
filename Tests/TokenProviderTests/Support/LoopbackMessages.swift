import Foundation

/// A request, with its target as it was sent.
struct LoopbackRequest: Sendable {
    let method: String
    let target: String
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    init?(head: String, readBody: (Int) -> [UInt8]?) {
        let lines = head.components(separatedBy: "\r\n")
        let requestLine = lines[0].components(separatedBy: " ")
        guard requestLine.count == 3, requestLine[2] == "HTTP/1.1" else { return nil }
        method = requestLine[0]
        target = requestLine[1]
        var fields: [(String, String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            fields.append(
                (
                    String(line[..<colon]).lowercased(),
                    line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                )
            )
        }
        self.fields = fields
        let length = fields.first { $0.0 == "content-length" }.flatMap { Int($0.1) } ?? 0
        guard let body = readBody(length) else { return nil }
        self.body = body
    }

    /// The value of a field that occurs once.
    subscript(name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}

/// A response, and how it is sent.
struct LoopbackResponse: Sendable {
    var status = 200
    var fields: [(String, String)] = []
    var body: [UInt8] = []
    var delivery = Delivery.whole

    /// How a response is sent.
    enum Delivery: Sendable {
        /// Head and body with a length.
        case whole
        /// The head, the body as a chunk without an end after it, and then silence.
        case openEnded
        /// The head, which promises the body, and then silence.
        case headOnly
        /// Nothing at all.
        case silence
        /// Half of the body, and the connection's end.
        case truncated
        /// The connection's end, without a byte.
        case end
        /// The connection's reset.
        case reset
        /// A byte of the body every tenth of a second, until the client ends the connection.
        case drip
        /// These bytes instead of a response, and the connection's end.
        case raw(String)
    }

    /// Sends the response; false when the connection is to be closed.
    func write(to connection: LoopbackConnection) -> Bool {
        switch delivery {
        case .whole: return connection.send(head(["Content-Length: \(body.count)"]) + body)
        case .openEnded:
            let chunk = Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n".utf8)
            _ = connection.send(head(["Transfer-Encoding: chunked"]) + chunk)
            connection.waitForEnd()
            return false
        case .headOnly:
            _ = connection.send(head(["Content-Length: \(body.count)"]))
            connection.waitForEnd()
            return false
        case .silence:
            connection.waitForEnd()
            return false
        case .truncated:
            _ = connection.send(head(["Content-Length: \(body.count)"]) + body.prefix(body.count / 2))
            return false
        case .end:
            return false
        case .reset:
            connection.reset()
            return false
        case .drip:
            _ = connection.send(head(["Content-Length: \(body.count)"]))
            for byte in body {
                usleep(100_000)
                guard connection.send([byte]) else { break }
            }
            return false
        case .raw(let text):
            _ = connection.send(Array(text.utf8))
            return false
        }
    }

    private func head(_ framing: [String]) -> [UInt8] {
        let lines = ["HTTP/1.1 \(status) Status"] + fields.map { "\($0.0): \($0.1)" } + framing
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
