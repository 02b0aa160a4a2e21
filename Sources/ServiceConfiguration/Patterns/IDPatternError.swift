/// Why a text is not an ``IDPattern``, and how to fix it.
struct IDPatternError: Error, Hashable, CustomStringConvertible {
    /// Where: 1 is the first character.
    let position: Int
    /// The problem and its solution.
    let message: String

    init(position: Int, _ message: String) {
        self.position = position
        self.message = message
    }

    /// The place and the message.
    var description: String { "at character \(position), \(message)" }
}
