/// Where a request ended without a token, and what follows from that: who is charged, and where the operator learns of it.
///
/// This table is the whole rule. Each refusal has its row, which ``TokenIssuer`` follows in one place;
/// `docs/architecture.md` has the reasons.
package enum RefusalRule: String, CaseIterable, Sendable {
    /// Not a request for a token: its host, path or method.
    case noTokenRequest
    /// Authentication failed.
    case unauthenticated
    /// No caller can be authenticated now: an issuer's keys are missing, or the service's clock is wrong.
    case authenticationUnavailable
    /// Past the limit of the address, for what would be one of the first two.
    case overAddressLimit
    /// Past the caller's limit.
    case overCallerLimit
    /// An invalid request of a known caller.
    case invalidRequest
    /// No grant allows it, or a webhook denies it or is unavailable.
    case denied
    /// The signer failed, or the clock changed meanwhile.
    case notMinted
    /// The signatures' queue is full.
    case queueFull
    /// The audit trail cannot be written.
    case auditUnavailable
    /// The client closed the connection while the request waited.
    case abandoned

    /// What is recorded of refusals.
    package enum Lines: Sendable {
        case all
        /// As many as ``CallerLimits/lineRate`` allows for all clients.
        case shared
        /// As many as ``CallerLimits/limitedRate`` allows for all clients.
        case limited
        case none
    }

    private var consequences: (chargesAddress: Bool, isAudited: Bool, lines: Lines) {
        switch self {
        case .noTokenRequest: (true, false, .shared)
        case .unauthenticated: (true, true, .shared)
        case .authenticationUnavailable: (false, true, .shared)
        case .overAddressLimit: (false, false, .limited)
        case .overCallerLimit: (false, false, .limited)
        case .invalidRequest: (false, false, .all)
        case .denied: (false, true, .all)
        case .notMinted: (false, true, .all)
        case .queueFull: (false, false, .limited)
        case .auditUnavailable: (false, false, .all)
        case .abandoned: (false, false, .none)
        }
    }

    /// Whether the request counts against the limit of its address.
    ///
    /// A caller's limit has counted the request before it was read.
    package var chargesAddress: Bool { consequences.chargesAddress }
    /// Whether the lines are in the audit trail too, beside the access log.
    package var isAudited: Bool { consequences.isAudited }
    /// The lines in the access log.
    package var lines: Lines { consequences.lines }
}
