import StrictCoding

/// Keeps secrets off the command line, where every process on the machine can read them and the shell's history stores
/// them.
package enum ArgumentScreen {
    /// Returns the message for a user whose arguments contain what looks like a token or a private key; nil for others.
    ///
    /// It repeats nothing of them.
    package static func refusal(of arguments: some Sequence<String>) -> String? {
        for argument in arguments {
            if argument.utf8.firstRange(of: "PRIVATE KEY-----".utf8) != nil {
                return """
                    A private key on the command line is seen by every user of this machine and stays in the shell's \
                    history. Pass the file that contains it instead. This key is compromised: replace it.
                    """
            }
            if holdsToken(argument) {
                return """
                    A token on the command line is seen by every user of this machine and stays in the shell's history. \
                    Pass it on standard input or in a file instead.
                    """
            }
        }
        return nil
    }

    /// Returns whether a text contains the beginning of a JWT, `{"` in base64url, followed by a second part.
    private static func holdsToken(_ text: String) -> Bool {
        text.utf8.split { !isInToken($0) }.contains { word in
            word.count >= minimumLength && word.contains(UInt8(ascii: ".")) && beginsToken(word)
        }
    }

    /// Returns whether a word begins like a token; after an option's dash the token may start anywhere.
    private static func beginsToken(_ word: Substring.UTF8View) -> Bool {
        word.starts(with: "eyJ".utf8) || word.first == UInt8(ascii: "-") && word.firstRange(of: "eyJ".utf8) != nil
    }

    /// Shorter than any header that names its algorithm, and longer than a file name is likely to be.
    private static let minimumLength = 16

    private static func isInToken(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-_.".utf8.contains(byte)
    }
}
