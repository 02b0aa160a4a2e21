import FleetToken
import Foundation
import GoogleRidesharingConsumer
import GoogleRidesharingDriver
import TestTraits
import Testing
import TokenProvider

@testable import Adapters
@testable import AdaptersOnTheMainActor

/// The adapters that apps copy, compiled against stand-ins for Google's frameworks and called as the SDKs call them: from a
/// queue, and never from the main actor.
///
/// Each is compiled twice, as in a package and as in a new project of Xcode's, where everything is on the main actor by
/// default. A copy that is on the main actor traps when the SDK calls it.
@Suite("The adapters for Google's SDKs", .watchdog)
struct AdapterTests {
    private let authorization: SDKAuthorization

    init() {
        let provider = CachingTokenProvider { FetchedToken("token of \($0.scope)", lifetime: 3540) }
        authorization = SDKAuthorization { provider }
    }

    private var consumers: [any GMTCAuthorization & Sendable] {
        [Adapters.ConsumerAuthorization(authorization), AdaptersOnTheMainActor.ConsumerAuthorization(authorization)]
    }

    private func drivers(_ role: DriverRole) -> [any GMTDAuthorization & Sendable] {
        [
            Adapters.DriverAuthorization(authorization, role: role),
            AdaptersOnTheMainActor.DriverAuthorization(authorization, role: role),
        ]
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

    private func fetch(
        _ adapter: any GMTDAuthorization & Sendable,
        _ vehicleID: String?,
        _ taskID: String? = nil
    ) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "SDK").async {
                let context = vehicleID.map { GMTDAuthorizationContext(vehicleID: $0, taskID: taskID) }
                adapter.fetchToken(with: context) { token, error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: token) }
                }
            }
        }
    }

    @Test("The Consumer SDK gets the trip's token")
    func consumer() async throws {
        for adapter in consumers {
            GMTCServices.setAccessTokenProvider(adapter, providerID: "project")
            let token = try await fetch(adapter, "trip-1")
            #expect(token == "token of \(TokenScope.consumer(trip: try ResourceID("trip-1")))")
        }
    }

    @Test("The Driver SDK gets the token of the vehicle that the app reports")
    func driver() async throws {
        let id = try ResourceID("v-1")
        let task = try ResourceID("t-1")
        let expected: [(DriverRole, String?, TokenScope)] = [
            (.onDemand, nil, .driver(vehicle: id)),
            (.onDemand, "t-1", .driver(vehicle: id)),
            (.delivery, nil, .deliveryDriver(vehicle: id)),
            (.delivery, "t-1", .deliveryDriver(vehicle: id)),
            (.trustedDelivery, nil, .trustedDeliveryDriver(vehicle: id)),
            (.trustedDelivery, "t-1", .trustedDeliveryDriver(vehicle: id, task: task)),
        ]
        for (role, taskID, scope) in expected {
            for adapter in drivers(role) {
                _ = GMTDDriverContext(
                    accessTokenProvider: adapter,
                    providerID: "project",
                    vehicleID: "v-1",
                    navigator: nil
                )
                #expect(try await fetch(adapter, "v-1", taskID) == "token of \(scope)")
            }
        }
    }

    @Test("Samples: A missing context is an error and no crash")
    func missingContext() async {
        for adapter in consumers {
            let error = await #expect(throws: TokenProviderError.self) { try await fetch(adapter, nil) }
            #expect(error?.code == .invalidContext)
        }
        for adapter in [DriverRole.onDemand, .delivery, .trustedDelivery].flatMap(drivers) {
            let error = await #expect(throws: TokenProviderError.self) { try await fetch(adapter, nil) }
            #expect(error?.code == .invalidContext)
        }
    }
}
