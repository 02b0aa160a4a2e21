/// Why a text is no ``IDPattern``, and what to write instead.
struct IDPatternError: Error, Hashable, CustomStringConvertible {
    /// Where: 1 is the first character.
    let position: Int
    /// What is wrong and what to write instead.
    let message: String

    init(position: Int, _ message: String) {
        self.position = position
        self.message = message
    }

    /// The place and the message.
    var description: String { "at character \(position), \(message)" }
}
