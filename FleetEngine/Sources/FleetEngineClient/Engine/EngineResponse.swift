import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is read of a response.
struct EngineResponse: Sendable {
    var status: Int
    var retryAfter: String?
    var body: [UInt8]

    init(status: Int, retryAfter: String? = nil, body: [UInt8]) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }

    init(_ body: Data, _ response: HTTPURLResponse?) {
        status = response?.statusCode ?? 0
        retryAfter = response?.value(forHTTPHeaderField: "Retry-After")
        self.body = Array(body)
    }
}
