/// A verifier's refusal.
public struct VerificationFailure: Error, CustomStringConvertible {
    /// Why.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
