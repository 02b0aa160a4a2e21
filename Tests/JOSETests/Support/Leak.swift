/// Looks for secrets where none may be.
enum Leak {
    /// Whether a text shows eight characters in a row of a PEM block's body.
    static func shows(_ pem: [UInt8], in text: String) -> Bool {
        let body = pem.split(separator: 0x0A).filter { !$0.starts(with: Array("-----".utf8)) }.joined()
        let secret = Array(body)
        let text = Array(text.utf8)
        guard secret.count >= 8, text.count >= 8 else { return false }
        let windows = Set((0...(secret.count - 8)).map { secret[$0..<($0 + 8)] })
        return (0...(text.count - 8)).contains { windows.contains(text[$0..<($0 + 8)]) }
    }
}
