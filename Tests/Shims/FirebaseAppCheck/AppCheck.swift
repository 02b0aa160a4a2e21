// What the examples use of Firebase's App Check: https://firebase.google.com/docs/app-check/ios/custom-resource

/// Proves that a request is the app's.
public final class AppCheck: Sendable {
    /// Returns the default app's.
    public static func appCheck() -> AppCheck { AppCheck() }

    /// Returns a token for the app's own backend.
    public func token(forcingRefresh: Bool) async throws -> AppCheckToken { AppCheckToken() }
}

/// The proof.
public final class AppCheckToken: Sendable {
    /// The text for the header field `X-Firebase-AppCheck`.
    public let token = ""
}
