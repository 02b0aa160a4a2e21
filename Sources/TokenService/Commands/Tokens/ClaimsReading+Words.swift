package import FleetToken
import ServiceSupport

extension ClaimsReading {
    /// The resources of the token, in words: `the trip trip-1`, `every trip and every vehicle`.
    package var scopeInWords: String {
        guard !authorization.isEmpty else { return "nothing known to Fleet Engine" }
        return authorization.map(\.inWords).joined(separator: " and ")
    }

    /// The kinds of token that carry exactly these claims; more than one where only the signing account tells.
    package var kinds: [TokenKind] {
        guard problems.allSatisfy({ $0.code != .authorization && $0.code != .invalidID }) else { return [] }
        return TokenKind.allCases.filter { $0.canHave(authorization) }
    }

    /// Returns all problems at a time, each with a description.
    func problemsInWords(at now: NumericDate) -> [(code: ClaimsProblem.Code, text: String)] {
        inWords(problems + problems(at: now), at: now)
    }

    /// Returns the problems for which Fleet Engine rejects the token at a time, each with a description.
    ///
    /// It compares `exp` with its own clock, and not with `iat`.
    package func refusalsInWords(at now: NumericDate) -> [(code: ClaimsProblem.Code, text: String)] {
        inWords(problems.filter { $0.code != .tooLong } + problems(at: now), at: now)
    }

    private func inWords(
        _ problems: [ClaimsProblem],
        at now: NumericDate
    ) -> [(code: ClaimsProblem.Code, text: String)] {
        problems.map { problem in
            guard problem.code == .expired, let expiresAt else { return (problem.code, problem.description) }
            return (problem.code, "It expired \(expiresAt.distance(from: now)). Request a new token.")
        }
    }
}

extension TokenScope {
    package var inWords: String {
        claims.map(\.inWords).joined(separator: " and ")
    }
}

extension ScopeClaim {
    var inWords: String {
        switch value {
        case .id(let id): "the \(noun) \(id.rawValue)"
        case .every: "every \(noun)"
        case .ids(let ids): "the tasks \(ids.map(\.rawValue).joined(separator: ", "))"
        }
    }

    private var noun: String {
        switch name {
        case .trip: "trip"
        case .vehicle: "vehicle"
        case .deliveryVehicle: "delivery vehicle"
        case .task, .tasks: "task"
        case .tracking: "shipment"
        }
    }
}
