package import FleetToken
import NIOCore
import NIOPosix

/// One HTTP answer as it came over the wire, parsed without the help of the code under test.
package struct TransferResponse: Sendable {
    package let status: Int
    /// Field names in lower case.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package subscript(name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    package func json() throws -> JSONObject { try JSONParser.parseObject(body) }

    /// The reason in our error bodies.
    package func reason() throws -> String? {
        let error = try json()["error"]?.objectValue
        return error?["details"]?.arrayValue?.first?.objectValue?["reason"]?.stringValue
    }
}

/// Raw bytes to a loopback port, answers back: what no well-behaved HTTP client would send can be sent.
package enum HTTPExchange {
    /// Sends bytes and reads answers until there are so many, or the server closes.
    ///
    /// - Parameters:
    ///   - bytes: What to send, whole.
    ///   - port: The port on 127.0.0.1.
    ///   - count: How many answers to wait for.
    ///   - isHead: Whether the answers have no body, whatever their length says.
    /// - Returns: The answers, in the order in which they came.
    /// - Throws: When no connection can be made.
    package static func send(
        _ bytes: [UInt8],
        to port: Int,
        count: Int = 1,
        isHead: Bool = false
    ) async throws -> [TransferResponse] {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            var received: [UInt8] = []
            var answers: [TransferResponse] = []
            do {
                for try await buffer in inbound {
                    received.append(contentsOf: buffer.readableBytesView)
                    while let (answer, length) = parse(received, isHead: isHead) {
                        answers.append(answer)
                        received.removeFirst(length)
                    }
                    if answers.count >= count { break }
                }
            } catch is IOError {
                // A reset after the answer: the server closed with bytes of ours unread.
            }
            return answers
        }
    }

    /// Sends a request of lines and a body; `Host` and `Content-Length` are added.
    package static func request(
        _ method: String = "GET",
        _ target: String,
        port: Int,
        headers: [String] = [],
        body: String? = nil
    ) async throws -> TransferResponse {
        var lines = ["\(method) \(target) HTTP/1.1"]
        if !headers.contains(where: { $0.hasPrefix("Host:") }) { lines.append("Host: 127.0.0.1:\(port)") }
        lines += headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
        let answers = try await send(Array(text.utf8), to: port, isHead: method == "HEAD")
        guard let answer = answers.first else { throw NoResponse() }
        return answer
    }

    /// The server closed without an answer.
    package struct NoResponse: Error {}

    private static func parse(_ bytes: [UInt8], isHead: Bool) -> (TransferResponse, Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let headers = lines.dropFirst().map { line -> (name: String, value: String) in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let length = isHead ? 0 : headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard bytes.count >= end.upperBound + length else { return nil }
        let body = Array(bytes[end.upperBound..<(end.upperBound + length)])
        return (TransferResponse(status: status, headers: headers, body: body), end.upperBound + length)
    }
}
