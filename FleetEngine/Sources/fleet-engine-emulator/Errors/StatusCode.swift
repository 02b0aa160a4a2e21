/// A canonical error code of Google's APIs, by its gRPC number.
enum StatusCode: Int, CaseIterable, Sendable {
    case cancelled = 1
    case unknown
    case invalidArgument
    case deadlineExceeded
    case notFound
    case alreadyExists
    case permissionDenied
    case resourceExhausted
    case failedPrecondition
    case aborted
    case outOfRange
    case unimplemented
    case `internal`
    case unavailable
    case dataLoss
    case unauthenticated

    /// The name in `google.rpc.Status`.
    var name: String { Self.table[rawValue].0 }
    /// The HTTP status that a REST response has.
    var http: Int { Self.table[rawValue].1 }

    /// Creates the code with a name; nil if there is none.
    init?(name: String) {
        guard let code = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = code
    }

    // https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto
    private static let table: [(String, Int)] = [
        ("OK", 200), ("CANCELLED", 499), ("UNKNOWN", 500), ("INVALID_ARGUMENT", 400), ("DEADLINE_EXCEEDED", 504),
        ("NOT_FOUND", 404), ("ALREADY_EXISTS", 409), ("PERMISSION_DENIED", 403), ("RESOURCE_EXHAUSTED", 429),
        ("FAILED_PRECONDITION", 400), ("ABORTED", 409), ("OUT_OF_RANGE", 400), ("UNIMPLEMENTED", 501),
        ("INTERNAL", 500), ("UNAVAILABLE", 503), ("DATA_LOSS", 500), ("UNAUTHENTICATED", 401),
    ]
}
