/// A rule that refuses requests; the errors' details name it.
struct Rule: Sendable {
    /// The name in error details.
    let reason: String
    /// The code that requests are refused with.
    let code: StatusCode

    private init(_ reason: String, _ code: StatusCode) {
        self.reason = reason
        self.code = code
    }
}

extension Rule {
    // Tokens, in the order in which they are checked.
    static let tokenMissing = Self("TOKEN_MISSING", .permissionDenied)
    static let tokenScheme = Self("TOKEN_SCHEME", .unauthenticated)
    static let tokenMalformed = Self("TOKEN_MALFORMED", .unauthenticated)
    static let tokenAlgorithm = Self("TOKEN_ALGORITHM", .unauthenticated)
    static let issuerUnknown = Self("ISSUER_UNKNOWN", .unauthenticated)
    static let keyUnknown = Self("KEY_UNKNOWN", .unauthenticated)
    static let subjectMismatch = Self("SUBJECT_MISMATCH", .unauthenticated)
    static let audienceWrong = Self("AUDIENCE_WRONG", .unauthenticated)
    static let timesMissing = Self("TIMES_MISSING", .unauthenticated)
    static let signatureInvalid = Self("SIGNATURE_INVALID", .unauthenticated)
    static let issuedInFuture = Self("ISSUED_IN_FUTURE", .unauthenticated)
    static let expired = Self("EXPIRED", .unauthenticated)
    static let expiresTooLate = Self("EXPIRES_TOO_LATE", .unauthenticated)
    static let claimsMissing = Self("CLAIMS_MISSING", .permissionDenied)
    static let idMissing = Self("ID_MISSING", .unauthenticated)
    // Access.
    static let resourceNameInvalid = Self("RESOURCE_NAME_INVALID", .invalidArgument)
    static let providerForeign = Self("PROVIDER_FOREIGN", .permissionDenied)
    static let roleForbids = Self("ROLE_FORBIDS", .permissionDenied)
    static let claimMismatch = Self("CLAIM_MISMATCH", .permissionDenied)
    // Requests.
    static let idInvalid = Self("ID_INVALID", .invalidArgument)
    static let maskEmpty = Self("MASK_EMPTY", .invalidArgument)
    static let maskFieldUnknown = Self("MASK_FIELD_UNKNOWN", .invalidArgument)
    static let maskFieldOutputOnly = Self("MASK_FIELD_OUTPUT_ONLY", .invalidArgument)
    static let fieldMissing = Self("FIELD_MISSING", .invalidArgument)
    static let fieldInvalid = Self("FIELD_INVALID", .invalidArgument)
    static let fieldForbidden = Self("FIELD_FORBIDDEN", .invalidArgument)
    static let fieldImmutable = Self("FIELD_IMMUTABLE", .invalidArgument)
    static let locationSensorReserved = Self("LOCATION_SENSOR_RESERVED", .invalidArgument)
    static let bodyMalformed = Self("BODY_MALFORMED", .invalidArgument)
    static let pageTokenInvalid = Self("PAGE_TOKEN_INVALID", .invalidArgument)
    // State.
    static let notFound = Self("NOT_FOUND", .notFound)
    static let alreadyExists = Self("ALREADY_EXISTS", .alreadyExists)
    static let tripIsActive = Self("TRIP_IS_ACTIVE", .failedPrecondition)
    static let vehicleHasTrips = Self("VEHICLE_HAS_TRIPS", .failedPrecondition)
    static let vehicleHasTasks = Self("VEHICLE_HAS_TASKS", .failedPrecondition)
    static let taskIsAssigned = Self("TASK_IS_ASSIGNED", .failedPrecondition)
    static let outcomeIsSet = Self("OUTCOME_IS_SET", .failedPrecondition)
    static let versionDiffers = Self("VERSION_DIFFERS", .failedPrecondition)
    // The emulator's own.
    static let pathUnknown = Self("PATH_UNKNOWN", .notFound)
    static let methodUnknown = Self("METHOD_UNKNOWN", .unimplemented)
    static let methodUnimplemented = Self("METHOD_UNIMPLEMENTED", .unimplemented)
    static let fault = Self("FAULT", .unavailable)
}
