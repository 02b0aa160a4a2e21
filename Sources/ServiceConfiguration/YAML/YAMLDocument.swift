/// Builds the one document of a text from the parser's events, without recursion and without expanding an alias.
struct YAMLDocument: ~Copyable {
    /// How many lists and mappings may be in each other.
    ///
    /// A configuration needs seven; expected claims may need more.
    static let maximumDepth = 64

    /// A list or mapping whose end is not yet read.
    private struct Collection {
        let isMapping: Bool
        let isOther: Bool
        let anchor: String?
        let line: Int
        /// The elements; keys and values by turns.
        var elements: [YAMLNode] = []
    }

    private var parser: YAMLParser
    private var open: [Collection] = []
    private var anchors: Set<String> = []

    /// Returns the value of the only document of a text; nil if there is none.
    ///
    /// - Throws: ``YAMLError``.
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
            case .beginning, .endOfDocument: break
            case .end: return root
            case .document:
                if root != nil { throw .syntax(YAMLProblem(text: "but found another document", line: line)) }
            default:
                if let node = try add(event, line) { root = node }
            }
        }
    }

    /// Takes one more event of the document.
    ///
    /// - Returns: The document's value, when it is complete.
    private mutating func add(_ event: YAMLParser.Event, _ line: Int) throws(YAMLError) -> YAMLNode? {
        switch event {
        case .alias(let name):
            guard anchors.contains(name) else { throw .syntax(YAMLProblem(text: "found undefined alias", line: line)) }
            // Its value is not needed: an alias is refused.
            return append(YAMLNode(content: .scalar("", .other), line: line, hasAnchor: true))
        case .scalar(let text, let type, let anchor):
            return append(YAMLNode(content: .scalar(text, type), line: line, hasAnchor: anchor != nil), anchor)
        case .list(let isOther, let anchor):
            try begin(Collection(isMapping: false, isOther: isOther, anchor: anchor, line: line))
        case .mapping(let isOther, let anchor):
            try begin(Collection(isMapping: true, isOther: isOther, anchor: anchor, line: line))
        case .endOfCollection:
            guard let collection = open.popLast() else { break }
            let content = try Self.content(of: collection)
            let node = YAMLNode(content: content, line: collection.line, hasAnchor: collection.anchor != nil)
            return append(node, collection.anchor)
        default: break
        }
        return nil
    }

    private mutating func begin(_ collection: Collection) throws(YAMLError) {
        guard open.count < Self.maximumDepth else { throw .depth(line: collection.line) }
        open.append(collection)
    }

    private mutating func append(_ node: YAMLNode, _ anchor: String? = nil) -> YAMLNode? {
        if let anchor { anchors.insert(anchor) }
        guard !open.isEmpty else { return node }
        open[open.count - 1].elements.append(node)
        return nil
    }

    private static func content(of collection: Collection) throws(YAMLError) -> YAMLNode.Content {
        let elements = collection.elements
        guard collection.isMapping else { return collection.isOther ? .other : .list(elements) }
        let entries = stride(from: 0, to: elements.count - 1, by: 2).map {
            (key: elements[$0], value: elements[$0 + 1])
        }
        try requireDistinct(entries.map(\.key))
        return collection.isOther ? .other : .mapping(entries)
    }

    /// A key by its bytes and type: to YAML, `1` and `"1"` are two.
    private struct Name: Hashable {
        let bytes: [UInt8]
        let type: YAMLScalarType
    }

    private static func requireDistinct(_ keys: [YAMLNode]) throws(YAMLError) {
        var lines: [Name: Int] = [:]
        var duplicates: [Name: (name: String, first: Int, second: Int)] = [:]
        for key in keys {
            guard case .scalar(let text, let type) = key.content, !key.hasAnchor else { continue }
            let name = Name(bytes: Array(text.utf8), type: type)
            if let first = lines[name] {
                duplicates[name] = duplicates[name] ?? (text, first, key.line)
            } else {
                lines[name] = key.line
            }
        }
        guard duplicates.isEmpty else { throw .duplicate(duplicates.values.sorted { $0.name < $1.name }) }
    }
}
