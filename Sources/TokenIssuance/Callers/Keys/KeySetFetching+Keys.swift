import ServiceConfiguration
import ServiceSupport
import TokenMinting

extension KeySetFetching {
    /// Fetches the keys of a plan.
    ///
    /// - Returns: The keys.
    /// - Throws: ``KeySetTransferError`` if fetching fails, and ``JOSEError`` if the keys are invalid.
    package func keys(of plan: KeySetPlan) async throws -> IssuerKeySet {
        switch plan.place {
        case .file(let path):
            return try IssuerKeySet(
                parsing: try Self.content(of: path),
                algorithms: plan.algorithms,
                mayBeEmpty: true
            )
        case .url(let url):
            return try IssuerKeySet(parsing: try await document(at: url, plan), algorithms: plan.algorithms)
        case .provider(let provider):
            let (place, algorithms) = try provider.keys(
                describedBy: try await document(at: provider.document, plan),
                allowsLoopback: allowsLoopback
            )
            return try IssuerKeySet(parsing: try await document(at: place, plan), algorithms: algorithms)
        }
    }

    private func document(at url: KeySetURL, _ plan: KeySetPlan) async throws -> [UInt8] {
        let answer = try await transfer(url, try plan.authorities.map(Self.content))
        guard answer.status == 200 else {
            throw KeySetTransferError(
                "The response has status \(answer.status) instead of 200.",
                retryAfter: answer.retryAfter
            )
        }
        return answer.body
    }

    /// Reads a file, checking its permissions each time: it is read more often than the rest of the configuration.
    private static func content(of path: String) throws -> [UInt8] {
        try TrustedFile(path).read()
    }
}
