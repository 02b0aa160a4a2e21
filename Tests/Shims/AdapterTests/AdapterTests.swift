import FleetToken
import Foundation
import GoogleRidesharingConsumer
import GoogleRidesharingDriver
import Testing
import TokenProvider

/// The adapters, compiled against stand-ins for Google's frameworks and called as the SDKs call them.
@Suite(.timeLimit(.minutes(1)))
struct AdapterTests {
    private let tokens = CachingTokenProvider { scope in
        FetchedToken(Secret("token of \(scope)"), lifetime: 3540)
    }

    private func fetch(_ adapter: any GMTCAuthorization, _ context: GMTCAuthorizationContext?) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            adapter.fetchToken(with: context) { token, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: token) }
            }
        }
    }

    private func fetch(_ adapter: any GMTDAuthorization, _ context: GMTDAuthorizationContext?) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            adapter.fetchToken(with: context) { token, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: token) }
            }
        }
    }

    @Test("The Consumer SDK gets the trip's token")
    func consumer() async throws {
        let adapter = ConsumerAuthorization(tokens)
        GMTCServices.setAccessTokenProvider(adapter, providerID: "project")
        let token = try await fetch(adapter, GMTCAuthorizationContext(tripID: "trip-1"))
        #expect(token == "token of \(TokenScope.consumer(trip: try ResourceID("trip-1")))")
    }

    @Test("The Driver SDK gets the token of the vehicle that the app reports")
    func driver() async throws {
        let id = try ResourceID("v-1")
        let task = try ResourceID("t-1")
        let expected: [(DriverFleet, String?, TokenScope)] = [
            (.onDemand, nil, .driver(vehicle: id)),
            (.onDemand, "t-1", .driver(vehicle: id)),
            (.delivery, nil, .deliveryDriver(vehicle: id)),
            (.delivery, "t-1", .deliveryDriver(vehicle: id)),
            (.trustedDelivery, nil, .trustedDeliveryDriver(vehicle: id)),
            (.trustedDelivery, "t-1", .trustedDeliveryDriver(vehicle: id, task: task)),
        ]
        for (fleet, taskID, scope) in expected {
            let adapter = DriverAuthorization(tokens, fleet: fleet)
            let context = GMTDDriverContext(
                accessTokenProvider: adapter,
                providerID: "project",
                vehicleID: "v-1",
                navigator: nil
            )
            let token = try await fetch(
                context.accessTokenProvider,
                GMTDAuthorizationContext(vehicleID: "v-1", taskID: taskID)
            )
            #expect(token == "token of \(scope)")
        }
    }

    @Test("Samples: A missing context is an error and no crash")
    func missingContext() async {
        let consumer = ConsumerAuthorization(tokens)
        let error = await #expect(throws: TokenProviderError.self) { try await fetch(consumer, nil) }
        #expect(error?.code == .invalidContext)
        for fleet in [DriverFleet.onDemand, .delivery, .trustedDelivery] {
            let adapter = DriverAuthorization(tokens, fleet: fleet)
            let error = await #expect(throws: TokenProviderError.self) { try await fetch(adapter, nil) }
            #expect(error?.code == .invalidContext)
        }
    }

    @Test("Objective-C's credentials are asked for, and a server that is not usable is an error")
    func objectiveC() async throws {
        let url = try #require(URL(string: "http://tokens.example"))
        let consumer = ConsumerAuthorization(serverURL: url) { completion in completion(["Authorization": "x"], nil) }
        let driver = DriverAuthorization(serverURL: url, fleet: .delivery) { completion in completion(nil, nil) }
        let first = await #expect(throws: TokenProviderError.self) {
            try await fetch(consumer, GMTCAuthorizationContext(tripID: "t"))
        }
        let second = await #expect(throws: TokenProviderError.self) {
            try await fetch(driver, GMTDAuthorizationContext(vehicleID: "v", taskID: nil))
        }
        #expect(first?.code == .invalidConfiguration)
        #expect(second?.code == .invalidConfiguration)
    }

    @Test("A dropped token is fetched again, and so are all after a sign-out")
    func dropping() async throws {
        let counter = Counter()
        let tokens = CachingTokenProvider { _ in FetchedToken(Secret("token \(await counter.next())"), lifetime: 3540) }
        let consumer = ConsumerAuthorization(tokens)
        let driver = DriverAuthorization(tokens, fleet: .onDemand)
        let trip = GMTCAuthorizationContext(tripID: "t")
        let vehicle = GMTDAuthorizationContext(vehicleID: "v", taskID: nil)
        #expect(try await fetch(consumer, trip) == "token 1")
        #expect(try await fetch(consumer, trip) == "token 1")
        consumer.invalidateToken(tripID: "t")
        #expect(try await fetch(consumer, trip) == "token 2")
        #expect(try await fetch(driver, vehicle) == "token 3")
        driver.invalidateToken(vehicleID: "v", taskID: nil)
        #expect(try await fetch(driver, vehicle) == "token 4")
        consumer.removeAllTokens()
        #expect(try await fetch(consumer, trip) == "token 5")
        #expect(try await fetch(driver, vehicle) == "token 6")
        driver.removeAllTokens()
        #expect(try await fetch(driver, vehicle) == "token 7")
    }
}

private actor Counter {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
