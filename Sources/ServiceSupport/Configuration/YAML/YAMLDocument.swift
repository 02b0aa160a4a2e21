/// Builds the one document of a text from the parser's events, without recursion.
struct YAMLDocument: ~Copyable {
    /// How many levels of lists and mappings there may be.
    ///
    /// A configuration needs seven; expected claims may need more.
    static let maximumDepth = 64

    /// A list or mapping whose end is not yet read.
    private struct Collection {
        let isMapping: Bool
        let line: Int
        /// The elements; keys and values by turns.
        var elements: [YAMLNode] = []
    }

    private var parser: YAMLParser
    private var open: [Collection] = []

    /// Returns the value of the only document of a text; nil if there is none.
    static func root(of text: UnsafeBufferPointer<UInt8>) throws(YAMLError) -> YAMLNode? {
        var document = YAMLDocument(parser: try YAMLParser(text))
        return try document.root()
    }

    private init(parser: consuming YAMLParser) {
        self.parser = parser
    }

    private mutating func root() throws(YAMLError) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let (event, line) = try parser.next()
            switch event {
            case .other: break
            case .end: return root
            case .document:
                if root != nil { throw .refused([(line, "A second document begins here. Remove one.")]) }
            case .scalar(let text, let isPlain):
                root = append(YAMLNode(content: .scalar(text, isPlain: isPlain), line: line)) ?? root
            case .list: try begin(Collection(isMapping: false, line: line))
            case .mapping: try begin(Collection(isMapping: true, line: line))
            case .endOfCollection:
                guard let collection = open.popLast() else { break }
                root = append(YAMLNode(content: try Self.content(of: collection), line: collection.line)) ?? root
            }
        }
    }

    private mutating func begin(_ collection: Collection) throws(YAMLError) {
        guard open.count < Self.maximumDepth else {
            let message = "Lists and mappings are nested more than \(Self.maximumDepth) levels deep."
            throw .refused([(collection.line, message)])
        }
        open.append(collection)
    }

    /// Adds a node to the innermost collection; returns it if there is none, because it is the root then.
    private mutating func append(_ node: YAMLNode) -> YAMLNode? {
        guard !open.isEmpty else { return node }
        open[open.count - 1].elements.append(node)
        return nil
    }

    private static func content(of collection: Collection) throws(YAMLError) -> YAMLNode.Content {
        let elements = collection.elements
        guard collection.isMapping else { return .list(elements) }
        let entries = stride(from: 0, to: elements.count - 1, by: 2).map {
            (key: elements[$0], value: elements[$0 + 1])
        }
        try requireDistinct(entries.map(\.key))
        return .mapping(entries)
    }

    /// Names are distinct if their bytes are.
    private static func requireDistinct(_ keys: [YAMLNode]) throws(YAMLError) {
        var lines: [[UInt8]: Int] = [:]
        var duplicates: [[UInt8]: (line: Int, message: String)] = [:]
        for key in keys {
            guard let text = key.text else { continue }
            let name = Array(text.utf8)
            guard let first = lines[name] else {
                lines[name] = key.line
                continue
            }
            let place = first == key.line ? " in one mapping" : "; the first is in line \(first)"
            duplicates[name] = duplicates[name] ?? (key.line, "\(text) is a duplicate\(place). Remove one.")
        }
        guard duplicates.isEmpty else { throw .refused(duplicates.values.sorted { $0.message < $1.message }) }
    }
}
