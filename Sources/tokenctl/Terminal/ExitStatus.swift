import ArgumentParser

/// What the process ends with; scripts may rely on it.
enum ExitStatus: Int32 {
    /// The arguments are wrong, or a file cannot be read or written.
    case failure = 1
    /// What should be a token is none.
    case malformedToken = 2
    /// The signature is not the key's, or a key cannot be used.
    case badSignatureOrKey = 3
    /// The claims are not Fleet Engine's, or the token's time is over.
    case badClaims = 4
    /// The token opens something else than asked.
    case wrongScope = 5
    /// A key set or a token cannot be fetched.
    case network = 6

    /// To be thrown by a command that has said all there is to say.
    var code: ExitCode { ExitCode(rawValue) }
}
