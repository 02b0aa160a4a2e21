import Foundation
import GoogleNavigation
import GoogleRidesharingConsumer
import GoogleRidesharingDriver
import Testing
import TokenProvider

@testable import Adapters
@testable import AdaptersOnTheMainActor

/// The adapters that apps copy, compiled against stand-ins for Google's frameworks and called as the SDKs call them: from a
/// queue, and never from the main actor.
///
/// Each is compiled twice, as in a package and as in a new project of Xcode's, where everything is on the main actor by
/// default. A copy that is on the main actor traps when the SDK calls it.
@Suite(.timeLimit(.minutes(1)))
struct AdapterTests {
    private let tokens = FleetTokenProvider { request in
        Token("\(request.scope.kind) \(request.scope.id ?? "")", lifetime: 3540)
    }

    private var consumers: [any GMTCAuthorization & Sendable] {
        [
            Adapters.ConsumerAuthorization(tokens), AdaptersOnTheMainActor.ConsumerAuthorization(tokens),
            OlderConsumerAuthorization(tokens),
        ]
    }

    private var drivers: [any GMTDAuthorization & Sendable] {
        [Adapters.DriverAuthorization(tokens), AdaptersOnTheMainActor.DriverAuthorization(tokens)]
    }

    private func fetch(_ adapter: any GMTCAuthorization & Sendable, _ tripID: String?) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "SDK").async {
                adapter.fetchToken(with: tripID.map { GMTCAuthorizationContext(tripID: $0) }) { token, error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: token) }
                }
            }
        }
    }

    private func fetch(_ adapter: any GMTDAuthorization & Sendable, _ vehicleID: String?) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "SDK").async {
                let context = vehicleID.map { GMTDAuthorizationContext(vehicleID: $0, taskID: nil) }
                adapter.fetchToken(with: context) { token, error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: token) }
                }
            }
        }
    }

    @Test
    func `The Consumer SDK gets the token of its trip`() async throws {
        for adapter in consumers {
            GMTCServices.setAccessTokenProvider(adapter, providerID: "project")
            #expect(try await fetch(adapter, "trip-1") == "consumer trip-1")
            let context = GMTCAuthorizationContext(tripID: "trip-2")
            #expect(try await adapter.fetchToken(with: context) == "consumer trip-2")
        }
    }

    @Test
    func `The Driver SDK gets the token of its vehicle`() async throws {
        for adapter in drivers {
            _ = GMTDDriverContext(
                accessTokenProvider: adapter,
                providerID: "project",
                vehicleID: "v-1",
                navigator: GMSNavigator()
            )
            #expect(try await fetch(adapter, "v-1") == "delivery_driver v-1")
        }
    }

    @Test
    func `A missing context is an error and no crash`() async {
        for adapter in consumers {
            let error = await #expect(throws: TokenProviderError.self) { try await fetch(adapter, nil) }
            #expect(error?.code == .invalidArgument)
        }
        for adapter in drivers {
            let error = await #expect(throws: TokenProviderError.self) { try await fetch(adapter, nil) }
            #expect(error?.code == .invalidArgument)
        }
    }
}

/// The form with a completion handler, as the guide shows it.
private final class OlderConsumerAuthorization: NSObject, GMTCAuthorization, Sendable {
    private let tokens: FleetTokenProvider

    init(_ tokens: FleetTokenProvider) {
        self.tokens = tokens
    }

    func fetchToken(
        with authorizationContext: GMTCAuthorizationContext?,
        completion: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        let scope = TokenScope.trip(authorizationContext?.tripID ?? "")
        Task { [tokens] in
            do { completion(try await tokens.token(for: scope).text, nil) } catch { completion(nil, error) }
        }
    }
}
