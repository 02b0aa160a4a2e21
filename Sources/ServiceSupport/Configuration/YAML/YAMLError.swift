/// Why a text is not a YAML document that can be read.
enum YAMLError: Error {
    /// The parser gave up: where, from 1, and why.
    case syntax(line: Int, message: String)
    /// The document has what a configuration needs not; each with its line.
    case refused([(line: Int, message: String)])
    case memory
}
