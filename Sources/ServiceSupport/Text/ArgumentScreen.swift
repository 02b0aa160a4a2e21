/// Keeps secrets off the command line, where every process on the machine can read them and the shell's history stores
/// them.
package enum ArgumentScreen {
    /// Returns the message for a user whose arguments contain what looks like a token, an API key or a private key; nil
    /// for others.
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
            if argument.firstMatch(of: #/ftk_[0-9A-Za-z]{12}_/#.matchingSemantics(.unicodeScalar)) != nil {
                return """
                    An API key on the command line is seen by every user of this machine and stays in the shell's \
                    history. Pass it in a file instead. This key is compromised: replace it.
                    """
            }
        }
        return nil
    }

    /// Returns whether a text contains the beginning of a JWT, `{"` in base64url, followed by a second part.
    ///
    /// After an option's dash the token may start anywhere.
    private static func holdsToken(_ text: String) -> Bool {
        let form = #/(?:^|[^A-Za-z0-9._-])((?:-[A-Za-z0-9._-]*)?eyJ[A-Za-z0-9._-]*)/#.matchingSemantics(.unicodeScalar)
        // Shorter than any header that names its algorithm, and longer than a file name is likely to be.
        return text.matches(of: form).contains { $0.1.utf8.count >= 16 && $0.1.utf8.contains(UInt8(ascii: ".")) }
    }
}
