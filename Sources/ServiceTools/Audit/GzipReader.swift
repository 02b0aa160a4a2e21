/// Expands gzip (RFC 1951 and 1952) a piece at a time, so that memory does not grow with the content.
struct GzipReader {
    /// What a compressed file begins with.
    static let magic: [UInt8] = [0x1F, 0x8B]

    /// The content is damaged, or ends too early.
    struct Damage: Error {}

    private enum Block {
        case none
        case stored(Int)
        case coded(literals: HuffmanCode, distances: HuffmanCode)
    }

    private static let windowSize = 32 * 1024
    private static let pieceSize = 64 * 1024

    private var input: [UInt8]
    private var position = 0
    private var bits: UInt32 = 0
    private var bitCount: UInt32 = 0
    private var source: () throws -> [UInt8] = { [] }

    private var block = Block.none
    private var isLastBlock = false
    private var isInMember = false
    /// What was expanded: the window, and what is to be handed out.
    private var output: [UInt8] = []
    private var handedOut = 0
    private var checksum = CRC32()
    private var size: UInt32 = 0

    /// Creates a reader of what begins with these bytes.
    init(_ start: [UInt8]) {
        input = start
    }

    /// Expands the next piece.
    ///
    /// - Parameter source: Reads more of the compressed bytes; none at their end.
    /// - Returns: The piece; empty at the end.
    /// - Throws: ``Damage``, and what `source` throws.
    mutating func next(_ source: @escaping () throws -> [UInt8]) throws -> [UInt8] {
        self.source = source
        defer { self.source = { [] } }
        while output.count - handedOut < Self.pieceSize {
            if !isInMember {
                guard try beginMember() else { break }
            }
            try advance()
        }
        let piece = Array(output[handedOut...])
        output.removeFirst(max(0, output.count - Self.windowSize))
        handedOut = output.count
        return piece
    }

    /// Expands a symbol, begins a block, or ends a member.
    private mutating func advance() throws {
        switch block {
        case .none where isLastBlock: try endMember()
        case .none: try beginBlock()
        case .stored(0): block = .none
        case .stored(let count):
            write(try byte())
            block = .stored(count - 1)
        case .coded(let literals, let distances): try expand(literals, distances)
        }
    }

    // MARK: Members

    private mutating func beginMember() throws -> Bool {
        guard try hasMore() else { return false }
        let header = try (0..<10).map { _ in try byte() }
        guard header.starts(with: Self.magic), header[2] == 8, header[3] & 0xE0 == 0 else { throw Damage() }
        let flags = header[3]
        if flags & 4 != 0 {
            let count = Int(try byte()) | Int(try byte()) << 8
            for _ in 0..<count { _ = try byte() }
        }
        // A name and a comment end with a zero.
        for flag: UInt8 in [8, 16] where flags & flag != 0 { while try byte() != 0 {} }
        if flags & 2 != 0 { _ = (try byte(), try byte()) }
        (isInMember, isLastBlock, checksum, size, output, handedOut) = (
            true, false, CRC32(), 0, Array(output[handedOut...]), 0
        )
        return true
    }

    private mutating func endMember() throws {
        (bits, bitCount) = (0, 0)
        guard try word() == checksum.value, try word() == size else { throw Damage() }
        isInMember = false
    }

    private mutating func word() throws -> UInt32 {
        var word: UInt32 = 0
        for shift: UInt32 in [0, 8, 16, 24] { word |= UInt32(try byte()) << shift }
        return word
    }

    // MARK: Blocks

    private mutating func beginBlock() throws {
        isLastBlock = try take(1) == 1
        switch try take(2) {
        case 0:
            (bits, bitCount) = (0, 0)
            let count = Int(try byte()) | Int(try byte()) << 8
            let complement = Int(try byte()) | Int(try byte()) << 8
            guard count ^ 0xFFFF == complement else { throw Damage() }
            block = .stored(count)
        case 1: block = .coded(literals: .fixedLiterals, distances: .fixedDistances)
        case 2: block = try dynamicBlock()
        default: throw Damage()
        }
    }

    private mutating func dynamicBlock() throws -> Block {
        let (literalCount, distanceCount) = (Int(try take(5)) + 257, Int(try take(5)) + 1)
        var lengths = [UInt8](repeating: 0, count: 19)
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        for index in 0..<Int(try take(4)) + 4 { lengths[order[index]] = UInt8(try take(3)) }
        let code = try HuffmanCode(lengths)
        var all: [UInt8] = []
        while all.count < literalCount + distanceCount {
            switch try symbol(code) {
            case let length where length < 16: all.append(UInt8(length))
            case 16:
                guard let last = all.last else { throw Damage() }
                all += [UInt8](repeating: last, count: Int(try take(2)) + 3)
            case 17: all += [UInt8](repeating: 0, count: Int(try take(3)) + 3)
            default: all += [UInt8](repeating: 0, count: Int(try take(7)) + 11)
            }
        }
        guard all.count == literalCount + distanceCount else { throw Damage() }
        return .coded(
            literals: try HuffmanCode(Array(all[..<literalCount])),
            distances: try HuffmanCode(Array(all[literalCount...]))
        )
    }

    /// A length or distance: where its codes' range begins, and how many further bits say where in it.
    private typealias Range = (base: Int, bits: UInt32)

    private static let lengths: [Range] = ranges(perSize: 4, sizes: 5, from: 3) + [(258, 0)]
    private static let distances: [Range] = ranges(perSize: 2, sizes: 13, from: 1)

    /// Twice as many ranges of one value, then some of each size that is a power of two.
    private static func ranges(perSize count: Int, sizes: UInt32, from start: Int) -> [Range] {
        var ranges: [Range] = (0..<2 * count).map { index in (start + index, 0) }
        for bits in 1...sizes {
            for index in 0..<count { ranges.append((start + (count + index) << Int(bits), bits)) }
        }
        return ranges
    }

    private mutating func expand(_ literals: HuffmanCode, _ distances: HuffmanCode) throws {
        let symbol = try symbol(literals)
        guard symbol >= 256 else { return write(UInt8(symbol)) }
        guard symbol > 256 else {
            block = .none
            return
        }
        guard symbol - 257 < Self.lengths.count else { throw Damage() }
        let (lengthBase, lengthBits) = Self.lengths[symbol - 257]
        let length = lengthBase + Int(try take(lengthBits))
        let code = try self.symbol(distances)
        guard code < Self.distances.count else { throw Damage() }
        let (distanceBase, distanceBits) = Self.distances[code]
        let distance = distanceBase + Int(try take(distanceBits))
        guard distance <= output.count, distance <= Self.windowSize else { throw Damage() }
        for _ in 0..<length { write(output[output.count - distance]) }
    }

    private mutating func symbol(_ code: HuffmanCode) throws -> Int {
        var (value, first, index) = (0, 0, 0)
        for count in code.counts.dropFirst() {
            value |= Int(try take(1))
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Damage()
    }

    private mutating func write(_ byte: UInt8) {
        output.append(byte)
        checksum.add(byte)
        size &+= 1
    }

    // MARK: Input

    private mutating func hasMore() throws -> Bool {
        if position == input.count { (input, position) = (try source(), 0) }
        return position < input.count
    }

    private mutating func byte() throws -> UInt8 {
        guard try hasMore() else { throw Damage() }
        defer { position += 1 }
        return input[position]
    }

    private mutating func take(_ count: UInt32) throws -> UInt32 {
        while bitCount < count {
            bits |= UInt32(try byte()) << bitCount
            bitCount += 8
        }
        defer { (bits, bitCount) = (bits >> count, bitCount - count) }
        return bits & (1 << count - 1)
    }
}

/// A canonical Huffman code: how many codes of each length there are, and the symbols in the codes' order.
struct HuffmanCode {
    let counts: [Int]
    let symbols: [Int]

    static let fixedLiterals = HuffmanCode(
        unchecked: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    )
    static let fixedDistances = HuffmanCode(unchecked: [UInt8](repeating: 5, count: 30))

    /// Creates the code of its symbols' lengths, from 0 to 15.
    ///
    /// - Throws: ``GzipReader/Damage`` where more codes are given than there are.
    init(_ lengths: [UInt8]) throws {
        self.init(unchecked: lengths)
        var left = 1
        for count in counts.dropFirst() {
            left = left * 2 - count
            guard left >= 0 else { throw GzipReader.Damage() }
        }
    }

    private init(unchecked lengths: [UInt8]) {
        var counts = [Int](repeating: 0, count: 16)
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        self.counts = counts
        symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    }
}

/// The checksum of gzip.
private struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private var state: UInt32 = 0xFFFF_FFFF

    var value: UInt32 { ~state }

    mutating func add(_ byte: UInt8) {
        state = Self.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8
    }
}
