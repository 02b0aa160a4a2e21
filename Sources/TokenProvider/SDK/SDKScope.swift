import FleetToken

/// The scope that an SDK's context describes, not yet checked.
struct SDKScope: Sendable {
    private let kind: TokenKind
    private let id: String?
    private let taskID: String?

    init(_ kind: TokenKind, _ id: String?, taskID: String? = nil) {
        self.kind = kind
        self.id = id
        self.taskID = taskID
    }

    /// Returns the scope.
    ///
    /// - Throws: ``TokenProviderError`` with code ``TokenErrorCode/invalidContext``.
    func get() throws(TokenProviderError) -> TokenScope {
        guard let id else {
            throw TokenProviderError(
                .invalidContext,
                "The SDK requested a token without a context. Update the SDK, or report the problem."
            )
        }
        let taskIDs = kind == .trustedDeliveryDriver ? taskID.map { [$0] } ?? [] : []
        do {
            return try TokenScope(kind: kind, id: id, taskIDs: taskIDs)
        } catch {
            throw TokenProviderError(.invalidContext, error.message)
        }
    }
}
