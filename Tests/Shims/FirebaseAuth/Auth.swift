// What the examples use of Firebase's sign-in. The reference is at
// https://firebase.google.com/docs/reference/swift/firebaseauth/api/reference/

import Foundation

/// The entry point: `Classes/Auth`.
public final class Auth: @unchecked Sendable {
    private static let standard = Auth()
    private let lock = NSLock()
    private var user: User?

    /// Returns the default app's; it traps if `FirebaseApp.configure()` was not called.
    public static func auth() -> Auth { standard }

    /// The user who is signed in.
    public var currentUser: User? { lock.withLock { user } }

    /// Signs a user in; here any user may.
    @discardableResult
    public func signIn(withEmail email: String, password: String) async throws -> AuthDataResult {
        lock.withLock { user = User() }
        return AuthDataResult()
    }

    /// Signs the user out.
    public func signOut() throws { lock.withLock { user = nil } }
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
