extension FleetEngineError {
    /// A gRPC status code, which Fleet Engine's errors have on each transport; the raw value is its name.
    public enum Code: String, Sendable {
        /// The request was cancelled.
        case cancelled = "CANCELLED"
        /// An error without further information.
        case unknown = "UNKNOWN"
        /// The request is invalid, such as one with an invalid trip name or an empty update mask.
        case invalidArgument = "INVALID_ARGUMENT"
        /// The response did not arrive in time.
        case deadlineExceeded = "DEADLINE_EXCEEDED"
        /// The trip, vehicle or task was never created.
        case notFound = "NOT_FOUND"
        /// The resource exists already.
        case alreadyExists = "ALREADY_EXISTS"
        /// The token's role or claims don't allow the request, or the API is not enabled.
        case permissionDenied = "PERMISSION_DENIED"
        /// The quota is exhausted.
        case resourceExhausted = "RESOURCE_EXHAUSTED"
        /// The state of the resource doesn't allow the request.
        case failedPrecondition = "FAILED_PRECONDITION"
        /// The server aborted the request.
        case aborted = "ABORTED"
        /// A value is outside its range.
        case outOfRange = "OUT_OF_RANGE"
        /// The server doesn't implement the method.
        case unimplemented = "UNIMPLEMENTED"
        /// The server failed, or its response doesn't have the documented format.
        case `internal` = "INTERNAL"
        /// The server or the network is not available.
        case unavailable = "UNAVAILABLE"
        /// Data was lost.
        case dataLoss = "DATA_LOSS"
        /// The token is missing, invalid or expired, also after it was fetched again.
        case unauthenticated = "UNAUTHENTICATED"

        /// Creates the code of an HTTP status, as Google's APIs map them.
        init(httpStatus: Int) {
            self =
                switch httpStatus {
                case 401: .unauthenticated
                case 403: .permissionDenied
                case 404: .notFound
                case 408, 504: .deadlineExceeded
                case 409: .aborted
                case 429: .resourceExhausted
                case 499: .cancelled
                case 501: .unimplemented
                case 400...499: .invalidArgument
                case 500: .internal
                case 502...599: .unavailable
                default: .unknown
                }
        }
    }
}
