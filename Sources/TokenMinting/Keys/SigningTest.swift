package import FleetToken
package import ServiceSupport

/// Lets each key of all rings sign once.
package struct SigningTest {
    /// Which keys cannot sign, and why.
    package private(set) var problems: [Problem] = []
    /// The kinds with remote keys whose service does not respond now: no reason not to serve the other kinds.
    package private(set) var unreachable: [String] = []
    /// The kinds of either sort.
    package private(set) var failing: [String] = []

    private enum Result {
        case good
        case unreachable
        case bad([Problem])
    }

    package init(of rings: [TokenKind: KeyRing], at now: NumericDate) async {
        // Side by side, since each may have to wait for a response from elsewhere.
        let results = await withTaskGroup(of: (TokenKind, Result).self) { group in
            for (kind, ring) in rings { group.addTask { (kind, await Self.result(of: ring, at: now)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for kind in TokenKind.allCases {
            switch results[kind] {
            case .bad(let found): problems += found.map { $0.within("kinds.\(kind.rawValue)") }
            case .unreachable: unreachable.append(kind.rawValue)
            case .good, nil: continue
            }
            failing.append(kind.rawValue)
        }
    }

    private static func result(of ring: KeyRing, at now: NumericDate) async -> Result {
        do {
            try await ring.test(at: now)
            return .good
        } catch let error as TokenError where error.reason.code == 503 {
            return .unreachable
        } catch {
            return .bad(Problem.all(of: error))
        }
    }
}
