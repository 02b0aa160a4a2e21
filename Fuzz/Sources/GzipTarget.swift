@testable import ServiceTools

/// What is expanded is the same however the compressed bytes are split.
@Sendable func fuzzGzip(_ bytes: [UInt8]) {
    guard let whole = try? expanded(bytes, by: bytes.count), let split = try? expanded(bytes, by: 1) else { return }
    precondition(whole == split)
}

/// Expands the beginning: a small file can have a large content.
private func expanded(_ bytes: [UInt8], by size: Int) throws -> [UInt8] {
    let reader = try GzipReader([])
    var (rest, content) = (bytes[...], [UInt8]())
    while content.count < 1 << 20 {
        let piece = try reader.next {
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        guard !piece.isEmpty else { return content }
        content += piece
    }
    return Array(content.prefix(1 << 20))
}
