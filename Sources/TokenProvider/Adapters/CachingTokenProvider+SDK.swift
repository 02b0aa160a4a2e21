import FleetToken
import Foundation

/// What the SDKs' protocols ask for, without the SDKs: ``ConsumerAuthorization`` and ``DriverAuthorization`` only pass it
/// on, and so does a conformance of an app's own.
extension CachingTokenProvider {
    /// Fetches a rider's token for the Consumer SDK.
    ///
    /// - Parameters:
    ///   - tripID: The `tripID` of the SDK's context; nil when there is no context, which is an error.
    ///   - completion: The SDK's completion. It is called exactly once and never from within this call, on a queue of the
    ///     system's, with a token or a ``TokenProviderError``.
    public func fetchToken(tripID: String?, completion: @escaping (String?, (any Error)?) -> Void) {
        deliver(Self.scope(kind: .consumer, id: tripID), to: SDKCompletion(completion))
    }

    /// Fetches a driver's token for the Driver SDK.
    ///
    /// - Parameters:
    ///   - vehicleID: The `vehicleID` of the SDK's context; nil when there is no context, which is an error.
    ///   - taskID: The `taskID` of the SDK's context. Only tokens of a trusted delivery driver name it.
    ///   - fleet: What kind of vehicle it is, which the SDK doesn't say.
    ///   - completion: The SDK's completion. It is called exactly once and never from within this call, on a queue of the
    ///     system's, with a token or a ``TokenProviderError``.
    public func fetchToken(
        vehicleID: String?,
        taskID: String?,
        fleet: DriverFleet,
        completion: @escaping (String?, (any Error)?) -> Void
    ) {
        deliver(Self.scope(vehicleID: vehicleID, taskID: taskID, fleet: fleet), to: SDKCompletion(completion))
    }

    /// Drops a rider's token after the Consumer SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    ///
    /// What is dropped is the token that the SDK was last given through ``fetchToken(tripID:completion:)``. Further
    /// reports of that token don't drop its successor: those that come within five seconds after the SDK was given the
    /// successor count as such. If you have the token itself, ``invalidate(_:for:)`` is exact.
    public func invalidateToken(tripID: String) {
        invalidateToken(for: Self.scope(kind: .consumer, id: tripID))
    }

    /// Drops a driver's token after the Driver SDK reported `UNAUTHENTICATED`, so that its next call fetches another.
    ///
    /// As with ``invalidateToken(tripID:)``, late reports of a token don't drop its successor.
    public func invalidateToken(vehicleID: String, taskID: String?, fleet: DriverFleet) {
        invalidateToken(for: Self.scope(vehicleID: vehicleID, taskID: taskID, fleet: fleet))
    }
}

/// What kind of vehicle a driver's app reports.
///
/// The Driver SDK calls both a vehicle of an on-demand fleet and a delivery vehicle `vehicleID`, but their tokens differ.
#if canImport(ObjectiveC)
@objc(FTDriverFleet)
#endif
public enum DriverFleet: Int, Sendable {
    /// A vehicle that takes riders.
    case onDemand
    /// A delivery vehicle, on a device that is not trusted: the usual case.
    case delivery
    /// A delivery vehicle on a trusted device; its token names the task as well if the SDK does.
    case trustedDelivery
}

extension CachingTokenProvider {
    private typealias ContextScope = Result<TokenScope, TokenProviderError>

    private static func scope(vehicleID: String?, taskID: String?, fleet: DriverFleet) -> ContextScope {
        switch fleet {
        case .onDemand: scope(kind: .driver, id: vehicleID)
        case .delivery: scope(kind: .deliveryDriver, id: vehicleID)
        case .trustedDelivery: scope(kind: .trustedDeliveryDriver, id: vehicleID, taskID: taskID)
        }
    }

    private static func scope(kind: TokenKind, id: String?, taskID: String? = nil) -> ContextScope {
        guard let id else {
            return .failure(
                TokenProviderError(
                    .invalidContext,
                    "The SDK asked for a token without a context: update it, or report it."
                )
            )
        }
        do {
            // The widest alphabet that Fleet Engine allows; the server may allow less, and says so.
            let taskIDs = taskID.map { [$0] } ?? []
            return .success(try TokenScope(kind: kind, id: id, taskIDs: taskIDs, alphabet: .unicode))
        } catch {
            return .failure(TokenProviderError(.invalidContext, error.message))
        }
    }

    private func deliver(_ scope: ContextScope, to completion: SDKCompletion) {
        let queue = DispatchQueue.global(qos: .userInitiated)
        switch scope {
        case .success(let scope):
            token(for: scope, queue: queue) { [handouts] result in
                if case .success(let token) = result { handouts.note(token, for: scope) }
                completion.call(result)
            }
        case .failure(let error): queue.async { completion.call(.failure(error)) }
        }
    }

    private func invalidateToken(for scope: ContextScope) {
        guard let scope = try? scope.get() else { return }
        switch handouts.report(scope) {
        case .rejected(let token): invalidate(token, for: scope)
        case .late: break
        case .unknown: if let token = cachedToken(for: scope) { invalidate(token, for: scope) }
        }
    }
}

/// A completion of the SDKs'.
//
// Sendable: the SDKs' references require that the completion be called asynchronously and allow any queue, so it must be
// safe to pass to another thread. Its type, an Objective-C block, just cannot say so.
private struct SDKCompletion: @unchecked Sendable {
    private let completion: (String?, (any Error)?) -> Void

    init(_ completion: @escaping (String?, (any Error)?) -> Void) {
        self.completion = completion
    }

    func call(_ result: Result<Token, TokenProviderError>) {
        switch result {
        case .success(let token): completion(token.value.revealText(), nil)
        case .failure(let error): completion(nil, error)
        }
    }
}
