import NIOHTTP1
import ServiceSupport
import Telemetry
import TokenMinting
import Tracing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Other servers that the service sends requests to.
enum PeerName: String {
    case issuer
    case google
    case webhook
}

extension SpanRecorder {
    /// Returns a wrapper that records each request to a server as a span, whose context the server receives.
    func exchange(with peer: PeerName) -> OutgoingClient.Wrapper {
        { request, send in
            let method = request.method.rawValue
            var attributes: SpanAttributes = ["http.request.method": .string(method)]
            // Neither the path nor the query: they may have IDs.
            if let url = URL(string: request.url), let host = url.host {
                attributes["server.address"] = host
                if let port = url.port { attributes["server.port"] = port }
            }
            return try await self.record("\(method) \(peer.rawValue)", .client, attributes) { span in
                var request = request
                for field in self.fields(of: span) {
                    request.headers.replaceOrAdd(name: field.name, value: field.value)
                }
                let response = try await send(request)
                span.attributes["http.response.status_code"] = response.status
                if response.status >= 400 { span.fail("\(response.status)") }
                return response
            }
        }
    }
}
