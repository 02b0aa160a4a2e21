import FleetToken
import JOSE
import ServiceSupport
import Synchronization
import TestSupport
import TestTools

/// An issuer that publishes a key set, without a network.
final class FakeIssuer: OutgoingHTTP {
    /// What a request is answered with.
    enum Response: Sendable {
        case document([UInt8])
        /// Good keys, which must not be taken from a response with this status.
        case status(Int)
        /// 503 with this `Retry-After`, at 08:49:37 on 6 November 1994.
        case unavailable(retryAfter: String)
        /// No response before the request is cancelled.
        case silence
        case failure(OutgoingError)
    }

    /// Where its keys are.
    static let url = "https://keys.test/keys"

    private let responses: Mutex<[String: Response]>
    private let journal = Journal<String>()

    /// Creates an issuer that publishes a key for each algorithm.
    init() throws {
        responses = Mutex([:])
        try publish(JWSAlgorithm.allCases.map(SigningKey.shared))
    }

    /// The number of requests.
    var requests: Int { journal.entries.count }

    /// Publishes keys, which replace all before.
    func publish(_ keys: [SigningKey], at url: String = url, withAlgorithms: Bool = false) throws {
        let document = try keys.map { try $0.jwk(withAlgorithm: withAlgorithms) }.keySet
        responses.withLock { $0[url] = .document(document) }
    }

    /// Changes the response to all requests from now on.
    func respond(with response: Response) {
        responses.withLock { $0[Self.url] = response }
    }

    /// Waits until a number of requests have come.
    func wait(for requests: Int) async throws { try await journal.wait(for: requests) }

    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse {
        journal.append(request.url)
        let response = responses.withLock { $0[request.url] }
        switch response {
        case .document(let body):
            guard body.count <= request.maximumSize else { throw .tooLarge }
            return OutgoingResponse(status: 200, body: Secret(body))
        case .status(let status):
            let keys = try? JWSAlgorithm.allCases.map { try SigningKey.shared($0).jwk() }.keySet
            return OutgoingResponse(status: status, body: Secret(keys ?? []))
        case .unavailable(let time):
            let headers = ["retry-after": time, "date": "Sun, 06 Nov 1994 08:49:37 GMT"]
            return OutgoingResponse(status: 503, headers: headers)
        case .silence:
            // A clock that nobody advances.
            try? await TestClock().sleep(for: 1)
            throw .failed("cancelled")
        case .failure(let error): throw error
        case nil: throw .failed("no such host")
        }
    }
}
