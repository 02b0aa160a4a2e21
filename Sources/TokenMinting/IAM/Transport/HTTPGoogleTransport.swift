package import AsyncHTTPClient
import FleetToken
import NIOCore
import NIOHTTP1
import ServiceSupport

/// Sends requests to Google with AsyncHTTPClient.
package struct HTTPGoogleTransport: GoogleTransport {
    private let client: OutgoingClient

    /// Creates a transport.
    ///
    /// - Parameter client: A client created with ``AsyncHTTPClient/HTTPClient/Configuration/outgoing``; its owner shuts it down.
    package init(client: HTTPClient) {
        self.client = OutgoingClient(client)
    }

    package func send(_ request: GoogleRequest) async throws(GoogleTransportError) -> GoogleAnswer {
        var outgoing = OutgoingClient.Request(request.url, maximumSize: request.maximumAnswerSize)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        outgoing.headers = HTTPHeaders(request.headers)
        if let bearer = request.bearer {
            outgoing.headers.add(name: "Authorization", value: "Bearer \(bearer.revealText())")
        }
        outgoing.body = request.body.map { Array($0.reveal()) }
        do throws(OutgoingClient.Failure) {
            let response = try await client.send(outgoing)
            return GoogleAnswer(
                status: response.status,
                headers: response.headers.reduce(into: [:]) { $0[$1.name.lowercased()] = $1.value },
                body: Secret(response.body.readableBytesView)
            )
        } catch {
            throw switch error {
            case .tooLarge: .tooLarge
            case .timedOut: .failed("timed out")
            case .failed(let reason): .failed(reason)
            }
        }
    }
}
