public import Foundation

/// Fleet Engine's REST API for one provider.
///
/// ```swift
/// let engine = FleetEngine(provider: "my-project") { purpose, rejected in
///     try await fetchToken(for: purpose, replacing: rejected)
/// }
/// for await case .updated(let trip) in engine.updates(ofTrip: "trip-1") {
///     print(trip.tripStatus, trip.pickupTime ?? "")
/// }
/// ```
public final class FleetEngine: Sendable {
    /// Returns the token for a request.
    ///
    /// `rejected` is the token that Fleet Engine has just refused (HTTP 401), which must not be returned again; nil at first.
    /// What it throws is reported as ``FleetEngineError/Code/unavailable``, unless it is a ``FleetEngineError``.
    public typealias TokenSource = @Sendable (_ purpose: TokenPurpose, _ rejected: String?) async throws -> String

    /// The provider ID, which is the ID of the Google Cloud project.
    public let provider: String
    let client: EngineClient

    /// Creates a client of Fleet Engine.
    ///
    /// - Parameters:
    ///   - provider: The provider ID: the ID of the Google Cloud project.
    ///   - configuration: The settings for requests.
    ///   - token: Returns the token for a request.
    public init(provider: String, configuration: Configuration = Configuration(), token: @escaping TokenSource) {
        self.provider = provider
        client = EngineClient(provider: provider, configuration: configuration, token: token)
    }

    /// Sends a request that has no method of its own, such as a backend's.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The collection and the IDs below the provider, such as `["trips", "trip-1"]`; they are encoded here.
    ///   - action: What follows the path after a colon, such as `search`; nil for none.
    ///   - query: The parameters; a name may be repeated.
    ///   - body: The body, in JSON.
    ///   - purpose: What the token is for.
    /// - Returns: The body of the response, in JSON.
    /// - Throws: ``FleetEngineError`` if there is no response, or it is an error.
    @discardableResult
    public func send(
        _ method: String,
        path: [String],
        action: String? = nil,
        query: KeyValuePairs<String, String> = [:],
        body: String? = nil,
        purpose: TokenPurpose
    ) async throws(FleetEngineError) -> Data {
        let request = EngineRequest(
            method: method,
            path: path,
            action: action,
            query: query.map { ($0.key, $0.value) },
            body: body.map { Array($0.utf8) },
            purpose: purpose
        )
        return Data(try await client.send(request))
    }

    /// Creates a reporter of an on-demand vehicle.
    ///
    /// - Parameters:
    ///   - vehicle: The vehicle's ID.
    ///   - interval: The pause between updates in seconds: 10, limited to the range 5 to 60.
    ///   - source: Returns where the vehicle is and how it navigates; nil if that is not known yet. It is called before
    ///     each update, on any thread, and must be quick.
    /// - Returns: The reporter, with location tracking off.
    public func vehicleReporter(
        for vehicle: String,
        every interval: TimeInterval = 10,
        source: @escaping @Sendable () -> VehicleUpdate?
    ) -> VehicleReporter {
        VehicleReporter(.onDemand, vehicle: vehicle, client: client, interval: interval, source: source)
    }

    /// Creates a reporter of a delivery vehicle, as ``vehicleReporter(for:every:source:)`` does of an on-demand vehicle.
    ///
    /// It has the token of a driver whose device is not trusted. A delivery vehicle has no state.
    public func deliveryVehicleReporter(
        for vehicle: String,
        every interval: TimeInterval = 10,
        source: @escaping @Sendable () -> VehicleUpdate?
    ) -> VehicleReporter {
        VehicleReporter(.delivery, vehicle: vehicle, client: client, interval: interval, source: source)
    }
}
