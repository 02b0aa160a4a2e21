import FleetToken

/// A request's path and query, split first and then percent-decoded exactly once, so that decoded characters cannot
/// change segments and parameters.
struct RequestTarget {
    /// The most bytes a target may have, as sent.
    static let maximumSize = 2048

    /// The path's segments; a trailing slash gives an empty last segment.
    let segments: [String]
    /// The query's parameters in the order they were sent, without `_`.
    let parameters: [(name: String, value: String)]

    /// Creates a target by parsing it.
    ///
    /// - Throws: ``TokenError`` if it is too long or malformed.
    init(_ target: String) throws(TokenError) {
        var target = target
        self = try target.withUTF8 { bytes in
            Result { () throws(TokenError) in try Self(bytes) }
        }.get()
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) throws(TokenError) {
        guard bytes.count <= Self.maximumSize else {
            throw TokenError(
                .targetTooLong,
                "The path and query are longer than 2048 bytes. Send long requests as POST /token."
            )
        }
        guard bytes.first == UInt8(ascii: "/") else {
            throw TokenError(.invalidPath, "The path does not begin with a slash.")
        }
        var segments: [String] = []
        // As many as the longest route has.
        segments.reserveCapacity(3)
        var rest = bytes[...]
        while rest.first == UInt8(ascii: "/") {
            rest = rest.dropFirst()
            let segment = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            segments.append(try Self.decode(segment))
            rest = rest[segment.endIndex...]
        }
        self.segments = segments
        parameters = try Self.parameters(rest.dropFirst())
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// Parses a query without `_`, a number against caches that React Native's `fetch` and jQuery add.
    private static func parameters(_ query: Bytes) throws(TokenError) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try decode(halves[0])
            let value = halves.count == 2 ? try decode(halves[1]) : ""
            if !name.hasSameBytes(as: "_") { parameters.append((name, value)) }
        }
        return parameters
    }

    /// Decodes a segment; `+` is literal, because IDs may contain it.
    private static func decode(_ text: Bytes) throws(TokenError) -> String {
        guard text.contains(UInt8(ascii: "%")) else { return String(decoding: text, as: UTF8.self) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                let low = rest.popFirst().flatMap(Hexadecimal.value)
            else {
                throw TokenError(
                    .invalidPath,
                    "A percent sign is not followed by two hexadecimal digits. Encode it as %25."
                )
            }
            decoded.append(high << 4 | low)
        }
        // Decoding repairs invalid UTF-8, so unchanged bytes were valid.
        let string = String(decoding: decoded, as: UTF8.self)
        guard string.utf8.elementsEqual(decoded) else {
            throw TokenError(.invalidPath, "The path or query is not valid UTF-8.")
        }
        return string
    }
}
