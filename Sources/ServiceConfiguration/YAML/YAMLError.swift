/// Why a text is not a YAML document that can be read.
enum YAMLError: Error {
    /// The parser gave up.
    case syntax(YAMLProblem)
    case character(problem: String, line: Int)
    /// A mapping has a key more than once, with the lines of the first two.
    case duplicate([(name: String, first: Int, second: Int)])
    /// Lists and mappings are in each other too often.
    case depth(line: Int)
    case memory
}

/// The parser's words and the lines that they are about.
struct YAMLProblem {
    let text: String
    /// The line in which the parser gave up, from 1.
    let line: Int
    /// What it was reading, and the line in which that began.
    var context: (text: String, line: Int)?
}
