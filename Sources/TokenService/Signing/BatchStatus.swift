import Telemetry

/// Whether batch signing is in use, and why.
package struct BatchStatus: Sendable, Equatable {
    /// The reason for the choice.
    package enum Reason: String, MetricLabel {
        /// Eight lanes are faster.
        case faster
        /// The configuration turns it off.
        case off
        /// The processor lacks instructions, or does not tell them.
        case noInstructions = "no_instructions"
        /// There is no library that can be used.
        case noLibrary = "no_library"
        /// No key in this process is of a kind that the lanes take.
        case noKey = "no_key"
        /// The self-test failed: signatures differed from libcrypto's.
        case wrongSignature = "wrong_signature"
        /// libcrypto is as fast.
        case slower
        /// The lanes made a second wrong signature in use.
        case faulty

        package static let labelName = "reason"
    }

    /// The reason for the choice.
    package let reason: Reason
    /// The choice and its reason, for an operator.
    package let text: String

    /// Whether batch signing is in use.
    package var isInUse: Bool { reason == .faster }
}
