/// The state of a scope's token, for a view that shows it; see ``TokenProviding/states(of:)``.
///
/// States may be added.
@nonexhaustive
public enum TokenState: Hashable, Sendable {
    /// There is no usable token: none was requested yet, or it was removed, rejected or evicted.
    case missing
    /// There is a usable token.
    case available(Token)
    /// There is no usable token, because the last fetch failed.
    case failed(TokenProviderError)
}
