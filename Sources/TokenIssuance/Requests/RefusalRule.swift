/// Where a request ended without a token, and what follows from that: who is charged, and where the operator learns of it.
///
/// This table is the whole rule. ``TokenIssuer`` gives each refusal its row and follows the row in one place;
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
    /// One of the first three, past the number of lines that all unauthenticated clients share. It counts against the
    /// address's limit if it did before.
    case overTotalLimit
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

    /// Whose rate limit the request counts against.
    package enum ChargedLimit: Sendable {
        /// The address's, when the request is refused.
        case address
        /// The caller's, which paid before its request was read.
        case caller
        /// No limit: it was reached already, or the service is the reason.
        case none
    }

    /// What the audit trail has of a refusal.
    package enum Trail: Sendable {
        case line
        case nothing
    }

    /// What the access log has of a refusal.
    package enum Log: Sendable {
        case line
        /// A line as long as there are not too many from all clients past a limit.
        case few
        case nothing
    }

    private var consequences: (charged: ChargedLimit, audit: Trail, log: Log) {
        switch self {
        case .noTokenRequest: (.address, .nothing, .line)
        case .unauthenticated: (.address, .line, .line)
        case .authenticationUnavailable: (.none, .line, .line)
        case .overAddressLimit: (.none, .nothing, .few)
        case .overTotalLimit: (.address, .nothing, .nothing)
        case .overCallerLimit: (.none, .nothing, .few)
        case .invalidRequest: (.caller, .nothing, .line)
        case .denied: (.caller, .line, .line)
        case .notMinted: (.caller, .line, .line)
        case .queueFull: (.caller, .nothing, .few)
        case .auditUnavailable: (.caller, .nothing, .line)
        }
    }

    package var charged: ChargedLimit { consequences.charged }
    package var audit: Trail { consequences.audit }
    package var log: Log { consequences.log }
}
