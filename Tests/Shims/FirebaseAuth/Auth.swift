// What the examples touch of Firebase's sign-in, as Swift imports it.

/// The entry point.
public final class Auth: Sendable {
    /// The app's.
    public static func auth() -> Auth { Auth() }

    /// The user who is signed in.
    public var currentUser: User? { nil }

    /// Signs a user in.
    public func signIn(withEmail email: String, password: String) async throws -> AuthDataResult { AuthDataResult() }

    /// Signs the user out.
    public func signOut() throws {}
}

/// The result of a sign-in.
public final class AuthDataResult: Sendable {}

/// A user.
public final class User: Sendable {
    /// A token that says who the user is.
    public func getIDToken(forcingRefresh: Bool) async throws -> String { "" }
}
