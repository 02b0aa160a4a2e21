extension Rule {
    /// The rule's line in the parity table.
    var parity: Parity.Entry {
        let (summary, basis, source) = meaning
        return Parity.Entry(reason, "\(code.http) \(code.name): \(summary)", basis, source)
    }

    private var meaning: (String, Basis, String) {
        switch self {
        case .tokenMissing: ("no token", .inferred, "error table of the guides: the JWT might be missing")
        case .tokenScheme: ("`Authorization` is not a Bearer token", .documented, "JWT guide")
        case .tokenMalformed:
            ("not a compact JWS, larger than 8 KiB, or a header field that is not allowed", .inferred, "RFC 8725")
        case .tokenAlgorithm: ("`alg` is not RS256", .documented, "JWT guide")
        case .issuerUnknown: ("`iss` is not a known service account", .documented, "JWT guide")
        case .keyUnknown: ("`kid` is not a key of the account", .documented, "JWT guide")
        case .subjectMismatch: ("`sub` is not `iss`", .documented, "JWT guide")
        case .audienceWrong: ("`aud` is not `\(TokenVerifier.audience)`", .documented, "JWT guide")
        case .timesMissing: ("`iat` and `exp` are not whole seconds", .documented, "JWT guide")
        case .signatureInvalid: ("the signature is invalid", .documented, "error table of the guides")
        case .issuedInFuture: ("`iat` is more than ten minutes ahead", .documented, "JWT guide")
        case .expired: ("`exp` has passed", .documented, "error table of the guides")
        case .expiresTooLate: ("`exp` is more than an hour ahead", .documented, "JWT guide")
        case .claimsMissing:
            ("no claim that Fleet Engine knows; the guides also say 403", .inferred, "error table of the guides")
        case .resourceNameInvalid:
            ("a name of another form", .documented, "error table of the guides")
        case .providerForeign:
            (
                "the account belongs to another project", .documented,
                "`.proto` comments: the provider is the project of the account"
            )
        case .roleForbids:
            (
                "the role lacks a permission", .documented,
                "IAM reference; roles of delivery drivers: table of trusted and untrusted drivers"
            )
        case .claimMismatch:
            (
                "no claim gives access to the resource; returned whether or not it exists", .documented,
                "validation scripts of Google's Java library"
            )
        case .idInvalid:
            ("not 1 to 64 characters in NFC without `/ : ? , #`", .documented, "docstrings of the IDs")
        case .maskEmpty: ("\"\(UpdateMask.emptyMessage)\"", .documented, "driver guide")
        case .maskFieldUnknown: ("the mask names no field", .inferred, "AIP-161")
        case .maskFieldOutputOnly:
            ("the mask names a field that the server manages", .inferred, "docstrings: cannot be updated")
        case .fieldMissing: ("a required field", .documented, "`.proto` comments")
        case .fieldInvalid: ("a value out of its range", .documented, "`.proto` comments")
        case .fieldForbidden: ("a field that must not be set", .documented, "`.proto` comments")
        case .fieldImmutable: ("another value for an immutable field", .documented, "docstrings: immutable")
        case .waypointsDisordered:
            (
                "a destination before the pickup point, or an exclusive trip divided", .documented,
                "docstring of `CreateTripRequest`"
            )
        case .versionDiffers:
            (
                "another version of the intermediate destinations", .documented,
                "docstring of `UpdateTripRequest`: the request fails"
            )
        case .locationSensorReserved: ("`FLEET_ENGINE_LOCATION` in a request", .documented, "`.proto` comments")
        case .waypointsDiffer: ("not all waypoints of the vehicle, or others", .documented, "`.proto` comments")
        case .bodyMalformed: ("not proto3 JSON, or with unknown fields", .documented, "proto3 JSON mapping")
        case .pageTokenInvalid:
            (
                "a page token of another server, or of a call with other parameters", .documented,
                "docstrings of `ListTasksRequest` and `ListDeliveryVehiclesRequest`"
            )
        case .notFound: ("no such resource, for a token that opens it", .documented, "error table of the guides")
        case .alreadyExists: ("a resource that exists", .recorded, "recording: 409 for a second CreateVehicle")
        case .tripIsActive: ("deleting an active trip of a vehicle", .documented, "`.proto` comments")
        case .vehicleHasTrips: ("deleting a vehicle with active trips", .documented, "`.proto` comments")
        case .vehicleHasTasks: ("deleting a delivery vehicle with open tasks", .documented, "`.proto` comments")
        case .taskIsAssigned: ("closing or deleting an open task of a vehicle", .documented, "`.proto` comments")
        case .outcomeIsSet: ("changing the outcome of a task", .documented, "`.proto` comments")
        case .methodUnknown: ("no such path", .inferred, "")
        case .methodUnimplemented:
            ("what the emulator leaves out: `fields`, and the operator `:` in filters", .inferred, "")
        case .providerNotDemo: ("the emulator's own: a provider that is not `demo-…`", .inferred, "")
        case .originForeign: ("the emulator's own: a page of another machine, or another host name", .inferred, "")
        case .fault: ("the emulator's own: a fault that a test has set, whose code may be any", .inferred, "")
        }
    }
}
