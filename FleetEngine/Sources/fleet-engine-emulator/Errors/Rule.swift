/// A rule that refuses requests; the errors' details name it.
enum Rule: String, CaseIterable, Sendable {
    // Tokens, in the order in which they are checked.
    case tokenMissing, tokenScheme, tokenMalformed, tokenAlgorithm, issuerUnknown, keyUnknown, subjectMismatch
    case audienceWrong, timesMissing, signatureInvalid, issuedInFuture, expired, expiresTooLate, claimsMissing
    // Access.
    case resourceNameInvalid, providerForeign, roleForbids, claimMismatch
    // Requests.
    case idInvalid, maskEmpty, maskFieldUnknown, maskFieldOutputOnly, fieldMissing, fieldInvalid, fieldForbidden
    case fieldImmutable, locationSensorReserved, bodyMalformed, pageTokenInvalid
    // State.
    case notFound, alreadyExists, tripIsActive, vehicleHasTrips, vehicleHasTasks, taskIsAssigned, outcomeIsSet
    case versionDiffers
    // The emulator's own.
    case pathUnknown, methodUnknown, methodUnimplemented, providerNotDemo, originForeign, fault
}

extension Rule {
    /// The code that requests are refused with.
    var code: StatusCode {
        switch self {
        case .tokenScheme, .tokenMalformed, .tokenAlgorithm, .issuerUnknown, .keyUnknown, .subjectMismatch,
            .audienceWrong, .timesMissing, .signatureInvalid, .issuedInFuture, .expired, .expiresTooLate,
            .claimsMissing:
            .unauthenticated
        case .tokenMissing, .providerForeign, .roleForbids, .claimMismatch, .originForeign: .permissionDenied
        case .resourceNameInvalid, .idInvalid, .maskEmpty, .maskFieldUnknown, .maskFieldOutputOnly, .fieldMissing,
            .fieldInvalid, .fieldForbidden, .fieldImmutable, .locationSensorReserved, .bodyMalformed, .pageTokenInvalid,
            .providerNotDemo:
            .invalidArgument
        case .notFound, .pathUnknown: .notFound
        case .alreadyExists: .alreadyExists
        case .tripIsActive, .vehicleHasTrips, .vehicleHasTasks, .taskIsAssigned, .outcomeIsSet, .versionDiffers:
            .failedPrecondition
        case .methodUnknown, .methodUnimplemented: .unimplemented
        case .fault: .unavailable
        }
    }
}

extension Rule {
    /// The name in error details: `TOKEN_MISSING`.
    var reason: String { rawValue.capitals }
}
