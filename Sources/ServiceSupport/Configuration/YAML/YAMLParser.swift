import CYAML

/// Reads the events of a YAML text with libyaml.
struct YAMLParser: ~Copyable {
    /// An event, with all that is needed of libyaml's memory.
    enum Event {
        case document
        case scalar(String, isPlain: Bool)
        case list
        case mapping
        case endOfCollection
        case end
        case other
    }

    // libyaml keeps pointers into it, so it stays where it is.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeBufferPointer<UInt8>

    /// Creates a parser.
    ///
    /// - Parameter text: UTF-8 that stays where it is for as long as the parser is used.
    /// - Throws: ``YAMLError`` when memory is short.
    init(_ text: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        self.text = text
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw .memory
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Returns the next event and the line in which it begins, from 1.
    ///
    /// - Throws: ``YAMLError`` at what is not YAML, and at anchors, aliases and tags.
    mutating func next() throws(YAMLError) -> (event: Event, line: Int) {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw error }
        defer { yaml_event_delete(&event) }
        let line = event.start_mark.line + 1
        return (try Self.copy(of: event, line: line), line)
    }

    private static func copy(of event: yaml_event_t, line: Int) throws(YAMLError) -> Event {
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: return .document
        case YAML_ALIAS_EVENT: throw .refused([(line, noAnchors)])
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            try refuse(anchor: scalar.anchor, tag: scalar.tag, line: line)
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            try refuse(anchor: event.data.sequence_start.anchor, tag: event.data.sequence_start.tag, line: line)
            return .list
        case YAML_MAPPING_START_EVENT:
            try refuse(anchor: event.data.mapping_start.anchor, tag: event.data.mapping_start.tag, line: line)
            return .mapping
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .endOfCollection
        // The parser produces nothing more after the end of the stream.
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return .end
        default: return .other
        }
    }

    /// Anchors and aliases hide what a file says, and aliases of aliases make a small file a huge one.
    private static let noAnchors =
        "Anchors (&) and aliases (*) are not supported. Write the value in each place; put text that begins with & or * in quotes."

    private static func refuse(
        anchor: UnsafeMutablePointer<yaml_char_t>?,
        tag: UnsafeMutablePointer<yaml_char_t>?,
        line: Int
    ) throws(YAMLError) {
        guard anchor == nil else { throw .refused([(line, noAnchors)]) }
        guard tag == nil else {
            throw .refused([(line, "Tags (!) are not supported. Remove it; put text that begins with ! in quotes.")])
        }
    }

    private var error: YAMLError {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "unknown problem"
        switch state.error {
        case YAML_MEMORY_ERROR: return .memory
        case YAML_READER_ERROR:
            let before = text.prefix(state.problem_offset)
            let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
            return .syntax(line: line, message: "Invalid YAML: \(problem).")
        default:
            let (line, column) = (state.problem_mark.line + 1, state.problem_mark.column + 1)
            let context = state.context.map { context in
                let opening = state.context_mark.line + 1
                return " \(String(cString: context))\(opening < line ? " that begins in line \(opening)" : "")"
            }
            return .syntax(line: line, message: "Invalid YAML at column \(column): \(problem)\(context ?? "").")
        }
    }
}
