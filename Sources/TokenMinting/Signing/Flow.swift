/// The caller that a signature is for, and its subject: callers take turns, and within a caller its subjects.
package struct Flow: Sendable, Hashable {
    /// The caller's name in the configuration.
    package let caller: String
    /// The caller's subject: a JWT's `sub`, an API key's ID, a certificate's name.
    package let subject: String

    /// The service itself, which tests its keys; it has no name that a caller can have.
    package static let service = Flow(caller: "", subject: "")

    package init(caller: String, subject: String) {
        self.caller = caller
        self.subject = subject
    }
}
