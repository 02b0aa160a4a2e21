import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceSupport
import TokenIssuance
import TokenMinting

/// Reaches servers over the network, each within ten seconds.
struct HTTPDoctorNetwork: DoctorNetwork {
    private static let limit = Duration.seconds(10)

    private let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)

    /// Sends requests to Google.
    var google: any GoogleTransport { HTTPGoogleTransport(client: client) }

    func get(_ url: String, trusting authorities: [UInt8]?) async throws(ProbeFailure) -> ProbeAnswer {
        var request = OutgoingClient.Request(url, maximumSize: IssuerKeySet.maximumSize, timeout: Self.limit)
        request.authorities = authorities
        do throws(OutgoingClient.Failure) {
            let response = try await OutgoingClient(client).send(request)
            return ProbeAnswer(
                status: response.status,
                date: response.headers.first(name: "date"),
                age: response.headers.first(name: "age"),
                body: Array(buffer: response.body)
            )
        } catch {
            throw switch error {
            case .tooLarge: ProbeFailure("the response is larger than 256 KiB")
            case .timedOut: ProbeFailure("timed out after ten seconds")
            case .failed(let reason): ProbeFailure(reason)
            }
        }
    }

    func connect(to url: String) async throws(ProbeFailure) {
        try await Self.limited { try await ConnectionProbe(url: url).run() }
    }

    /// Closes all connections.
    func shutdown() async {
        try? await client.shutdown()
    }

    private static func limited<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws(ProbeFailure) -> Result {
        do {
            return try await withThrowingTaskGroup(of: Result.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw ProbeFailure("timed out after ten seconds")
                }
                defer { group.cancelAll() }
                guard let result = try await group.next() else { throw CancellationError() }
                return result
            }
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: any Error) -> ProbeFailure {
        switch error {
        case let failure as ProbeFailure: failure
        default: ProbeFailure(ConnectionFailure.text(of: error))
        }
    }
}
