public import TokenProvider

extension FleetEngineError {
    /// A gRPC status code, which Fleet Engine's errors have on each transport.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The number.
        public let number: Int
        /// The name as in Google's documentation, such as `PERMISSION_DENIED`.
        public let description: String

        private init(_ number: Int, _ description: String) {
            self.number = number
            self.description = description
        }

        /// The request was cancelled.
        public static let cancelled = Self(1, "CANCELLED")
        /// An error without further information.
        public static let unknown = Self(2, "UNKNOWN")
        /// The request is invalid, such as one with an invalid trip name or an empty update mask.
        public static let invalidArgument = Self(3, "INVALID_ARGUMENT")
        /// The response did not arrive in time.
        public static let deadlineExceeded = Self(4, "DEADLINE_EXCEEDED")
        /// The trip, vehicle or task was never created.
        public static let notFound = Self(5, "NOT_FOUND")
        /// The resource exists already.
        public static let alreadyExists = Self(6, "ALREADY_EXISTS")
        /// The token's role or claims don't allow the request, or the API is not enabled.
        public static let permissionDenied = Self(7, "PERMISSION_DENIED")
        /// The quota is exhausted.
        public static let resourceExhausted = Self(8, "RESOURCE_EXHAUSTED")
        /// The state of the resource doesn't allow the request.
        public static let failedPrecondition = Self(9, "FAILED_PRECONDITION")
        /// The server aborted the request.
        public static let aborted = Self(10, "ABORTED")
        /// A value is outside its range.
        public static let outOfRange = Self(11, "OUT_OF_RANGE")
        /// The server doesn't implement the method.
        public static let unimplemented = Self(12, "UNIMPLEMENTED")
        /// The server failed, or its response doesn't have the documented format.
        public static let `internal` = Self(13, "INTERNAL")
        /// The server or the network is not available.
        public static let unavailable = Self(14, "UNAVAILABLE")
        /// Data was lost.
        public static let dataLoss = Self(15, "DATA_LOSS")
        /// The token is missing, invalid or expired, also after it was fetched again.
        public static let unauthenticated = Self(16, "UNAUTHENTICATED")

        private static let all = [
            cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists, permissionDenied,
            resourceExhausted, failedPrecondition, aborted, outOfRange, unimplemented, .internal, unavailable, dataLoss,
            unauthenticated,
        ]

        /// Creates a code from the `status` of an error response; nil for a name that gRPC doesn't define.
        init?(name: String) {
            guard let code = Self.all.first(where: { $0.description == name }) else { return nil }
            self = code
        }

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

        /// What resolves an error with this code, as in the guides' table of status codes.
        ///
        /// The guides don't mention the codes of other server errors; the client recovers from those as well.
        public var recovery: TokenProviderError.Recovery {
            switch self {
            case .aborted, .cancelled, .deadlineExceeded, .unavailable, .unknown, .internal, .dataLoss: .retry
            default: .needsAction
            }
        }
    }
}
