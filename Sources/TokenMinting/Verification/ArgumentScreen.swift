/// Keeps secrets off the command line, where every process on the machine can read them and the shell's history keeps them.
package enum ArgumentScreen {
    /// What to tell a user whose arguments hold something that looks like a token or a private key; nil for any others.
    ///
    /// It repeats nothing of them.
    package static func refusal(of arguments: some Sequence<String>) -> String? {
        for argument in arguments {
            if argument.utf8.firstRange(of: "PRIVATE KEY-----".utf8) != nil {
                return """
                    A private key on the command line is seen by every user of this machine and stays in the shell's \
                    history. Name the file that holds it. This key is no secret any more: replace it.
                    """
            }
            if holdsToken(argument) {
                return """
                    A token on the command line is seen by every user of this machine and stays in the shell's history. \
                    Give it on standard input or name the file that holds it.
                    """
            }
        }
        return nil
    }

    /// Whether there is anywhere in a text what a JWT begins with, `{"` in base64url, and then a second part.
    private static func holdsToken(_ text: String) -> Bool {
        text.utf8.split { !isInToken($0) }.contains { word in
            word.count >= minimumLength && word.contains(UInt8(ascii: ".")) && beginsToken(word)
        }
    }

    /// Whether a word begins as a token does; behind an option's dash the token may follow at any place.
    private static func beginsToken(_ word: Substring.UTF8View) -> Bool {
        word.starts(with: "eyJ".utf8) || word.first == UInt8(ascii: "-") && word.firstRange(of: "eyJ".utf8) != nil
    }

    /// Shorter than any header that names its algorithm, and longer than a file name is likely to be.
    private static let minimumLength = 16

    private static func isInToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
