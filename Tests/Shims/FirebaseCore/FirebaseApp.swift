// What the examples use of Firebase itself. The reference is at
// https://firebase.google.com/docs/reference/swift/firebasecore/api/reference/

/// The app: `Classes/FirebaseApp`.
public final class FirebaseApp: Sendable {
    /// Configures the default app; to be called before anything else of Firebase's.
    public static func configure() {}
}
