import ArgumentParser

/// What the process ends with; scripts may rely on it.
enum ExitStatus: Int32 {
    /// The arguments are wrong, or a file cannot be read or written.
    case failure = 1
    /// What should be a token is none.
    case malformedToken = 2
    /// The signature is not the key's, a key cannot be used, or an audit trail is broken.
    case badSignatureOrKey = 3
    /// The claims are not Fleet Engine's, or the token's time is over.
    case badClaims = 4
    /// The token opens something else than asked.
    case wrongScope = 5
    /// A key set or a token cannot be fetched.
    case network = 6
    /// An audit trail has no line.
    case emptyTrail = 7
    /// An audit trail's first line is not its beginning.
    case missingBeginning = 8

    /// To be thrown by a command that has said all there is to say.
    var code: ExitCode { ExitCode(rawValue) }
}
