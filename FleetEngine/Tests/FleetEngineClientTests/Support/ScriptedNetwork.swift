import EngineCoding
import FleetEngineClient
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response that a test scripts.
struct ScriptedResponse: Sendable {
    var status = 200
    var fields: [String: String] = [:]
    var body = "{}"

    static func trip(_ status: String, _ more: String = "") -> Self {
        Self(body: #"{"name":"providers/demo/trips/t1","tripStatus":"\#(status)"\#(more.isEmpty ? "" : ",")\#(more)}"#)
    }

    static func error(_ status: Int, _ name: String, _ message: String = "Refused.") -> Self {
        Self(
            status: status,
            body: #"{"error":{"code":\#(status),"message":"\#(message)","status":"\#(name)"}}"#
        )
    }
}

/// A request as the network gets it.
struct SentRequest: Hashable, Sendable {
    var method: String
    var url: String
    var query: String?
    var authorization: String?
    var contentType: String?
    var body: String?

    init(_ request: URLRequest) {
        method = request.httpMethod ?? ""
        url = request.url?.absoluteString ?? ""
        query = request.url?.query
        authorization = request.value(forHTTPHeaderField: "Authorization")
        contentType = request.value(forHTTPHeaderField: "Content-Type")
        body = request.httpBody.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A network that responds as a test says, and records the requests.
final class ScriptedNetwork: Sendable {
    /// Returns the response to a request; the number of the request starts at 1.
    typealias Script = @Sendable (SentRequest, Int) async throws -> ScriptedResponse

    private let script: Script
    private let log = Lock([SentRequest]())

    init(_ script: @escaping Script) {
        self.script = script
    }

    /// Responds in this order, and with the last response from then on.
    convenience init(_ responses: [ScriptedResponse]) {
        self.init { _, number in responses[min(number, responses.count) - 1] }
    }

    var requests: [SentRequest] { log.withLock { $0 } }

    var transport: FleetEngine.Configuration.Transport {
        { [self] request in
            let sent = SentRequest(request)
            let number = log.withLock { log in
                log.append(sent)
                return log.count
            }
            let scripted = try await script(sent, number)
            let url = request.url ?? URL(fileURLWithPath: "/")
            let response = HTTPURLResponse(
                url: url,
                statusCode: scripted.status,
                httpVersion: "HTTP/1.1",
                headerFields: scripted.fields
            )
            guard let response else { throw URLError(.badServerResponse) }
            return (Data(scripted.body.utf8), response)
        }
    }
}
