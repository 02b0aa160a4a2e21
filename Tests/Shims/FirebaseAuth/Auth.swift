// What the examples use of Firebase's sign-in. The reference is at
// https://firebase.google.com/docs/reference/swift/firebaseauth/api/reference/

/// The entry point: `Classes/Auth`.
public final class Auth: Sendable {
    /// Returns the default app's; it traps if `FirebaseApp.configure()` was not called.
    public static func auth() -> Auth { Auth() }

    /// The user who is signed in.
    public var currentUser: User? { nil }

    /// Signs a user in.
    @discardableResult
    public func signIn(withEmail email: String, password: String) async throws -> AuthDataResult { AuthDataResult() }

    /// Signs the user out.
    public func signOut() throws {}
}

/// The result of a sign-in: `Classes/AuthDataResult`.
public final class AuthDataResult: Sendable {}

/// A user: `Classes/User`.
public final class User: Sendable {
    /// Returns a token that says who the user is.
    public func getIDToken(forcingRefresh: Bool) async throws -> String { "" }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the errors.
public let AuthErrorDomain = "FIRAuthErrorDomain"

/// Codes of errors: `Enums/AuthErrorCode`.
public enum AuthErrorCode: Int, Error {
    case userDisabled = 17005
    case userNotFound = 17011
    case invalidUserToken = 17017
    case networkError = 17020
    case userTokenExpired = 17021
}
