// What apps use of Google's Driver SDK to give it tokens, as Swift 6.2 and later import it from Objective-C. The reference is at
// https://developers.google.com/maps/documentation/mobility/driver-sdk/scheduled/reference/ios/

public import Foundation

/// Takes a token or an error: `Type-Definitions/GMTDAuthTokenFetchCompletionHandler`.
public typealias GMTDAuthTokenFetchCompletionHandler = (String?, (any Error)?) -> Void

/// Gives the SDK its tokens: `Protocols/GMTDAuthorization`.
///
/// Objective-C has one method. Swift imports it in two forms, and an adapter implements one of them; here each form has a
/// default that calls the other.
public protocol GMTDAuthorization: NSObjectProtocol {
    /// Called by the SDK from any queue.
    func fetchToken(with authorizationContext: GMTDAuthorizationContext?) async throws -> String

    /// Called by the SDK from any queue. Since SE-0463, Swift imports the completion handler as `@Sendable`.
    func fetchToken(
        with authorizationContext: GMTDAuthorizationContext?,
        completion: @escaping @Sendable (String?, (any Error)?) -> Void
    )
}

extension GMTDAuthorization {
    /// Calls the other form.
    public func fetchToken(with authorizationContext: GMTDAuthorizationContext?) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            fetchToken(with: authorizationContext) { token, error in
                continuation.resume(with: token.map { .success($0) } ?? .failure(error ?? CancellationError()))
            }
        }
    }

    /// Calls the other form, as the method does that the compiler makes for Objective-C.
    public func fetchToken(
        with authorizationContext: GMTDAuthorizationContext?,
        completion: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        // The context never changes, and an adapter must be thread-safe, says the reference.
        nonisolated(unsafe) let adapter: any GMTDAuthorization = self
        nonisolated(unsafe) let context = authorizationContext
        Task {
            do {
                completion(try await adapter.fetchToken(with: context), nil)
            } catch {
                completion(nil, error)
            }
        }
    }
}

/// What a token is for: `Classes/GMTDAuthorizationContext`.
public final class GMTDAuthorizationContext: NSObject {
    /// The vehicle, or delivery vehicle.
    public let vehicleID: String
    /// The task, for a trusted delivery driver.
    public let taskID: String?

    /// Creates a context; in the SDK only the SDK does.
    public init(vehicleID: String, taskID: String?) {
        self.vehicleID = vehicleID
        self.taskID = taskID
    }
}
