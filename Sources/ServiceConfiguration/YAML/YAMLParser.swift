import CYAML

/// Reads the events of a YAML text with libyaml.
struct YAMLParser: ~Copyable {
    /// An event, with all that it needs of libyaml's memory.
    enum Event {
        case beginning
        case end
        case document
        case alias(name: String)
        case scalar(String, YAMLScalarType, anchor: String?)
        /// `isOther` if a tag makes another type of it.
        case list(isOther: Bool, anchor: String?)
        case mapping(isOther: Bool, anchor: String?)
        case endOfCollection
        case endOfDocument
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
    /// - Throws: ``YAMLError`` at what is not YAML.
    mutating func next() throws(YAMLError) -> (event: Event, line: Int) {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw error }
        defer { yaml_event_delete(&event) }
        return (Self.copy(of: event), event.start_mark.line + 1)
    }

    private static func copy(of event: yaml_event_t) -> Event {
        switch event.type {
        case YAML_STREAM_START_EVENT: return .beginning
        case YAML_DOCUMENT_START_EVENT: return .document
        case YAML_DOCUMENT_END_EVENT: return .endOfDocument
        case YAML_ALIAS_EVENT: return .alias(name: string(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            let type: YAMLScalarType =
                if scalar.quoted_implicit == 1 { .text } else {
                    string(scalar.tag).map(YAMLScalarType.init(tag:)) ?? YAMLScalarType(plain: text)
                }
            return .scalar(text, type, anchor: string(scalar.anchor))
        case YAML_SEQUENCE_START_EVENT:
            let list = event.data.sequence_start
            return .list(isOther: isOther(list.tag, than: "seq"), anchor: string(list.anchor))
        case YAML_MAPPING_START_EVENT:
            let mapping = event.data.mapping_start
            return .mapping(isOther: isOther(mapping.tag, than: "map"), anchor: string(mapping.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .endOfCollection
        // The parser produces nothing more after the end of the stream.
        default: return .end
        }
    }

    /// Returns whether a tag names another type than the one of the form.
    private static func isOther(_ tag: UnsafeMutablePointer<yaml_char_t>?, than type: String) -> Bool {
        guard let tag = string(tag) else { return false }
        return tag != "!" && tag != "tag:yaml.org,2002:\(type)"
    }

    private static func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private var error: YAMLError {
        let state = parser.pointee
        let text = state.problem.map { String(cString: $0) } ?? "unknown problem"
        switch state.error {
        case YAML_MEMORY_ERROR: return .memory
        case YAML_READER_ERROR:
            let before = self.text.prefix(state.problem_offset)
            return .character(problem: text, line: 1 + before.count { $0 == UInt8(ascii: "\n") })
        default:
            let context = state.context.map { (String(cString: $0), state.context_mark.line + 1) }
            return .syntax(YAMLProblem(text: text, line: state.problem_mark.line + 1, context: context))
        }
    }
}
