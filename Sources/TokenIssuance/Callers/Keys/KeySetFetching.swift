import FleetToken
package import JOSE
package import Logging
package import ServiceSupport

/// The dependencies for fetching key sets.
package struct KeySetFetching: Sendable {
    /// Sends the requests.
    let http: any OutgoingHTTP
    /// Tells their age, and ends fetches that time out.
    let clock: ServiceClock
    /// Logs failed fetches.
    let logger: Logger

    /// Creates the means of fetching key sets.
    package init(http: any OutgoingHTTP, clock: ServiceClock, logger: Logger) {
        self.http = http
        self.clock = clock
        self.logger = logger
    }

    /// Fetches the keys of a plan, and logs a failure.
    func recordedKeys(of plan: KeySetPlan) async throws(KeySetFetchError) -> IssuerKeySet {
        do throws(KeySetFetchError) {
            return try await keys(of: plan)
        } catch {
            // A fetch that takes too long is cancelled.
            let text = Task.isCancelled ? "Fetching timed out." : error.description
            logger.warning(
                "Fetching the issuer's keys failed.",
                metadata: ["keys": "\(plan.location)", "error": "\(text)"]
            )
            throw error
        }
    }

    /// Fetches the keys of a plan.
    ///
    /// - Throws: ``KeySetFetchError`` if fetching fails, or the keys are invalid.
    package func keys(of plan: KeySetPlan) async throws(KeySetFetchError) -> IssuerKeySet {
        switch plan.source {
        case .file(let path): return try Self.keys(plan, in: try Self.content(of: path))
        case .url(let url): return try Self.keys(plan, in: try await document(at: url, plan))
        case .provider(let provider):
            let (url, algorithms) = try provider.keys(describedBy: try await document(at: provider.document, plan))
            return try Self.keys(plan, in: try await document(at: url, plan), algorithms)
        }
    }

    /// Reads the keys of a plan.
    package static func keys(
        _ plan: KeySetPlan,
        in json: [UInt8],
        _ algorithms: [JWSAlgorithm]? = nil
    ) throws(KeySetFetchError) -> IssuerKeySet {
        do {
            return try IssuerKeySet(
                parsing: json,
                algorithms: algorithms ?? plan.algorithms,
                mayBeEmpty: !plan.isRemote
            )
        } catch {
            throw .invalidKeys(error)
        }
    }

    static func content(of path: String) throws(KeySetFetchError) -> [UInt8] {
        do {
            return try TrustedFile(path).read()
        } catch {
            throw .unreadableFile(error.problems.map(\.description).joined(separator: " "))
        }
    }

    private func document(at url: KeySetURL, _ plan: KeySetPlan) async throws(KeySetFetchError) -> [UInt8] {
        var request = OutgoingRequest(.get, url.text)
        request.headers = [(name: "Accept", value: "application/json")]
        request.maximumSize = JWKSet.maximumSize
        if let path = plan.authorities { request.authorities = try Self.content(of: path) }
        let response: OutgoingResponse
        do {
            response = try await http.send(request)
        } catch {
            throw .noResponse(from: url, error)
        }
        guard response.status == 200 else {
            throw .status(response.status, from: url, retryAfter: response.retryAfter())
        }
        if let coding = response.contentCoding { throw .encoded(coding, from: url) }
        return response.body.reveal()
    }
}
