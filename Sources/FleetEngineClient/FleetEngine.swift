public import Foundation
package import Timing
// An engine takes a token provider and resource IDs: `import FleetEngineClient` alone must suffice.
@_exported public import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fleet Engine's REST API for one provider, with the tokens of a provider of tokens.
///
/// ```swift
/// let engine = FleetEngine(provider: try ResourceID("my-project"), tokens: tokens)
/// let model = engine.tripModel(for: try ResourceID("trip-1"))
/// for await case .updated(let trip) in model.updates {
///     print(trip.tripStatus, trip.pickupTime ?? "")
/// }
/// ```
///
/// Each request gets the token that it needs from the token provider. If Fleet Engine rejects it (HTTP 401), the token is
/// dropped there and the request is sent once more with a new one.
public final class FleetEngine: Sendable {
    /// The provider ID, which is the ID of the Google Cloud project.
    public let provider: ResourceID
    private let client: EngineClient
    private let models = Lock<[String: WeakModel]>([:])

    /// Creates a client of Fleet Engine.
    ///
    /// - Parameters:
    ///   - provider: The provider ID: the ID of the Google Cloud project.
    ///   - tokens: The provider of tokens, usually a `CachingTokenProvider`. If a test gave that one a manual clock, trips
    ///     are followed and vehicles report by this clock as well.
    ///   - configuration: The settings for requests.
    public convenience init(
        provider: ResourceID,
        tokens: any TokenProviding,
        configuration: Configuration = Configuration()
    ) {
        let environment = (tokens as? CachingTokenProvider)?.environment ?? .system
        self.init(
            provider: provider,
            tokens: tokens,
            configuration: configuration,
            environment: configuration.environment(of: environment),
            timeouts: environment.scheduler
        )
    }

    /// Creates a client with the clock, timers and randomness of following and reporting; `timeouts` runs those of requests,
    /// which are in real time even if a simulation is faster.
    package init(
        provider: ResourceID,
        tokens: any TokenProviding,
        configuration: Configuration,
        environment: ProviderEnvironment,
        timeouts: Scheduler
    ) {
        self.provider = provider
        client = EngineClient(
            provider: provider,
            tokens: tokens,
            environment: environment,
            server: Result { () throws(FleetEngineError) in try configuration.serverURL(for: provider) },
            sender: HTTPSender(
                configuration.transport,
                timeout: configuration.timeout,
                bodyLimit: 4 << 20,
                scheduler: timeouts
            )
        )
    }

    /// Returns the model of a trip: always the same one, as long as it is in use, with the interval of the first call.
    ///
    /// - Parameters:
    ///   - trip: The trip's ID.
    ///   - autoRefreshTimeInterval: The pause between the end of one request and the start of the next, in seconds: 5, which
    ///     is also the minimum. Zero turns polling off: requests are made for the first reader and with
    ///     ``TripModel/refresh()``.
    /// - Returns: The model.
    public func tripModel(for trip: ResourceID, autoRefreshTimeInterval: TimeInterval = 5) -> TripModel {
        models.withLock { models in
            if let model = models[trip.rawValue]?.model { return model }
            models = models.filter { $0.value.model != nil }
            let model = TripModel(client: client, trip: trip, interval: autoRefreshTimeInterval)
            models[trip.rawValue] = WeakModel(model: model)
            return model
        }
    }

    /// Returns a model of a shipment, by its tracking ID, which polls as ``tripModel(for:autoRefreshTimeInterval:)`` does.
    public func shipmentModel(for tracking: ResourceID, autoRefreshTimeInterval: TimeInterval = 5) -> ShipmentModel {
        ShipmentModel(client: client, tracking: tracking, interval: autoRefreshTimeInterval)
    }

    /// Creates a reporter of an on-demand vehicle.
    ///
    /// - Parameters:
    ///   - vehicle: The vehicle's ID.
    ///   - source: Returns where the vehicle is and how it navigates; nil if that is not known yet. It is called before
    ///     each update, on any thread, and must be quick.
    /// - Returns: The reporter, with location tracking off.
    public func vehicleReporter(
        for vehicle: ResourceID,
        source: @escaping @Sendable () -> VehicleUpdate?
    ) -> VehicleReporter {
        VehicleReporter(.onDemand, vehicle: vehicle, client: client, source: source)
    }

    /// Creates a reporter of a delivery vehicle, as ``vehicleReporter(for:source:)`` does of an on-demand vehicle.
    ///
    /// It has the token of a driver whose device is not trusted. A delivery vehicle has no state.
    public func deliveryVehicleReporter(
        for vehicle: ResourceID,
        source: @escaping @Sendable () -> VehicleUpdate?
    ) -> VehicleReporter {
        VehicleReporter(.delivery, vehicle: vehicle, client: client, source: source)
    }
}

private struct WeakModel: Sendable {
    weak var model: TripModel?
}
