package import FleetToken
import JOSE
import ServiceSupport
import TokenMinting

/// A refused request: the error in its response, and what the operator learns of it.
package final class Refusal: Error {
    package enum Record: Hashable, Sendable {
        /// A line in the audit trail and in the access log.
        case audited
        /// A line in the access log.
        case logged
        /// A count; the first few of a caller or address have a line in the access log, too.
        case counted(isLogged: Bool)

        /// Whether the access log has a line.
        package var isLogged: Bool { self != .counted(isLogged: false) }
    }

    /// The error in the response.
    package let error: TokenError
    /// Why authentication failed, if it did.
    package let failure: AuthenticationFailure?
    /// The internal error, if one is the reason; it is for the log.
    package let cause: (any Error)?
    /// The methods that the path supports, if the request's is another.
    package let allowedMethods: String?
    /// The limit that was reached, as its setting in the configuration, if it has one.
    package let limit: String?
    package let record: Record

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - error: The reason: a refusal is copied, and callers learn nothing of internal errors.
    ///   - record: Its record.
    ///   - limit: The limit that was reached, as its setting in the configuration.
    package convenience init(_ error: any Error, record: Record = .audited, limit: String? = nil) {
        switch error {
        case let refusal as Refusal: self.init(refusal, record: refusal.record)
        case let error as TokenError: self.init(error: error, record: record, limit: limit)
        case let failure as AuthenticationFailure: self.init(error: failure.refusal, failure: failure, record: record)
        default: self.init(error: .internalError, cause: error, record: record)
        }
    }

    private convenience init(_ refusal: Refusal, record: Record) {
        self.init(
            error: refusal.error,
            failure: refusal.failure,
            cause: refusal.cause,
            allowedMethods: refusal.allowedMethods,
            record: record,
            limit: refusal.limit
        )
    }

    /// Returns the refusal of a request whose path supports other methods.
    package static func methodNotAllowed(allowed: String) -> Refusal {
        Refusal(
            error: TokenError(.methodNotAllowed, "Method not allowed. Use \(allowed)."),
            allowedMethods: allowed
        )
    }

    /// Returns the same refusal with another record.
    func recorded(_ record: Record) -> Refusal { Refusal(self, record: record) }

    private init(
        error: TokenError,
        failure: AuthenticationFailure? = nil,
        cause: (any Error)? = nil,
        allowedMethods: String? = nil,
        record: Record = .audited,
        limit: String? = nil
    ) {
        self.error = error
        self.failure = failure
        self.cause = cause
        self.allowedMethods = allowedMethods
        self.record = record
        self.limit = limit
    }
}

extension TokenError {
    fileprivate static let internalError = Self(
        .internal,
        "Internal error. Retry later; if the error persists, contact the operator."
    )
}

// The errors of the modules below, which know nothing of logs. None has a secret or an ID in its description.
extension TokenError: LoggableError {}
extension MintingError: LoggableError {}
extension IAMError: LoggableError {}
extension PKCS11Error: LoggableError {}
extension JOSEError: LoggableError {}
