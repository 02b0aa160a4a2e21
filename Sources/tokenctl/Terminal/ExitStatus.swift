import ArgumentParser

/// The exit statuses; scripts may rely on them.
enum ExitStatus: Int32 {
    /// The arguments are wrong, or a file cannot be read or written.
    case failure = 1
    /// The input is not a token.
    case malformedToken = 2
    /// The signature is invalid, a key is unusable, or an audit trail is broken.
    case badSignatureOrKey = 3
    /// The claims are not Fleet Engine's, or the token's time is over.
    case badClaims = 4
    /// The token's scope differs from the expected one.
    case wrongScope = 5
    /// A key set or a token cannot be fetched.
    case network = 6
    /// An audit trail has no line.
    case emptyTrail = 7
    /// An audit trail's first line is not its beginning.
    case missingBeginning = 8

    /// The exit code, for a command that has already reported everything.
    var code: ExitCode { ExitCode(rawValue) }
}
