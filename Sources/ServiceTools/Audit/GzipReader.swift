import CZlib

/// Expands gzip (RFC 1952) a piece at a time with zlib, so that memory does not grow with the content.
///
/// A file may have several members after each other, as `cat` and log rotation make them.
final class GzipReader {
    /// The first bytes of a compressed file.
    static let magic: [UInt8] = [0x1F, 0x8B]

    /// The content is damaged, or ends too early.
    struct Damage: Error {}

    private static let pieceSize = 64 * 1024
    /// zlib's largest window, and only gzip's format.
    private static let windowBits = MAX_WBITS + 16

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var input: [UInt8]
    private var isInMember = false

    /// Creates a reader of what begins with these bytes.
    ///
    /// - Throws: ``Damage`` if zlib has no memory.
    init(_ start: [UInt8]) throws(Damage) {
        input = start
        stream.initialize(to: z_stream())
        let size = CInt(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, size) == Z_OK else { throw Damage() }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Expands the next piece.
    ///
    /// - Parameter source: Reads more of the compressed bytes; none at their end.
    /// - Returns: The piece; empty at the end.
    /// - Throws: ``Damage``, and what `source` throws.
    func next(_ source: () throws -> [UInt8]) throws -> [UInt8] {
        while true {
            if input.isEmpty {
                input = try source()
                guard !input.isEmpty else {
                    guard !isInMember else { throw Damage() }
                    return []
                }
            }
            let piece = try expand()
            if !piece.isEmpty { return piece }
        }
    }

    /// Expands input until it is used up, a member ends or a piece is full.
    private func expand() throws(Damage) -> [UInt8] {
        var status = Z_OK
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                status = inflate(stream, Z_NO_FLUSH)
            }
            count = output.count - Int(stream.pointee.avail_out)
        }
        isInMember = status != Z_STREAM_END
        input.removeFirst(input.count - Int(stream.pointee.avail_in))
        switch status {
        case Z_OK, Z_BUF_ERROR: return piece
        case Z_STREAM_END where inflateReset(stream) == Z_OK: return piece
        default: throw Damage()
        }
    }
}
