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

    package init(of rings: [TokenKind: KeyRing], at now: NumericDate) async {
        // Side by side, since each may have to wait for a response from elsewhere.
        let errors = await withTaskGroup(of: (TokenKind, (any Error)?).self) { group in
            for (kind, ring) in rings {
                group.addTask {
                    do {
                        try await ring.test(at: now)
                        return (kind, nil)
                    } catch {
                        return (kind, error)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for kind in TokenKind.allCases {
            guard let error = errors[kind] else { continue }
            failing.append(kind.rawValue)
            if (error as? TokenError)?.reason.code == 503 {
                unreachable.append(kind.rawValue)
            } else {
                problems += Problem.all(of: error).map { $0.within("kinds.\(kind.rawValue)") }
            }
        }
    }
}
