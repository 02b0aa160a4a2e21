import FleetToken
import HTTPServer
import TokenIssuance

/// A request for a token, as far as its head describes it.
struct AskedToken {
    /// The kind of token, where the path has it.
    let kind: TokenKind?
    /// All of the request, where it is in the path and the query.
    private let inPath: Result<TokenRequest, TokenError>?
    /// The target of a request with a body, which has no query.
    private let target: RequestTarget?

    /// Creates a request from the path and the query.
    ///
    /// Errors are reported to authenticated callers only.
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

    /// Creates a request with a body, which may contain the kind too.
    init(kind: TokenKind?, _ target: RequestTarget) {
        self.kind = kind
        self.target = target
        inPath = nil
    }

    /// The requested token, as far as the path describes it.
    var requested: RequestedToken { RequestedToken(kind: kind, scope: try? inPath?.get().scope) }

    /// Returns the validated request.
    ///
    /// - Parameters:
    ///   - body: Returns the request's body.
    ///   - alphabet: Which scalars IDs may have.
    /// - Returns: The request.
    /// - Throws: ``TokenError`` that describes the problem.
    func request(
        body: () throws(TokenError) -> [UInt8],
        alphabet: ResourceID.Alphabet
    ) throws(TokenError) -> TokenRequest {
        if let inPath { return try inPath.get() }
        try target?.requireNoQuery()
        return try TokenRequest(body: try body(), pathKind: kind, alphabet: alphabet)
    }
}
