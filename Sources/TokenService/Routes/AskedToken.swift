import FleetToken
import TokenIssuance

/// A request for a token, as far as its head says what it asks for.
struct AskedToken {
    /// The kind of token, where the path has it.
    let kind: TokenKind?
    /// All of the request, where it is in the path and the query.
    private let inPath: Result<TokenRequest, TokenError>?
    /// The target of a request with a body, which has no query.
    private let target: RequestTarget?

    /// A request in the path and the query.
    ///
    /// Whether it is well-formed is told to known callers only.
    init(
        kind: TokenKind,
        id: String?,
        parameters: [(name: String, value: String)],
        alphabet: ResourceID.Alphabet
    ) {
        self.kind = kind
        target = nil
        inPath = Result { () throws(TokenError) in
            try TokenRequest(kind: kind, id: id, parameters: parameters, alphabet: alphabet)
        }
    }

    /// A request with a body, which may have the kind too.
    init(kind: TokenKind?, _ target: RequestTarget) {
        self.kind = kind
        self.target = target
        inPath = nil
    }

    /// What the request asks for, as far as the path says it.
    var requested: RequestedToken { RequestedToken(kind: kind, scope: try? inPath?.get().scope) }

    /// The request, checked.
    ///
    /// - Parameters:
    ///   - body: Takes the body of a request that has one.
    ///   - alphabet: Which scalars IDs may have.
    /// - Returns: The request.
    /// - Throws: ``TokenError`` that says what is wrong with it.
    func request(
        body: () throws(TokenError) -> [UInt8],
        alphabet: ResourceID.Alphabet
    ) throws(TokenError) -> TokenRequest {
        if let inPath { return try inPath.get() }
        try target?.requireNoQuery()
        return try TokenRequest(body: try body(), pathKind: kind, alphabet: alphabet)
    }
}
