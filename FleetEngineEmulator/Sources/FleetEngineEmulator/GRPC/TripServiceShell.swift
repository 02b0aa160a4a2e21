import GRPCCore
import SwiftProtobuf

/// Trips over gRPC.
struct TripServiceShell: ProtoTripService.ServiceProtocol, GRPCShell {
    let engine: Engine

    func createTrip(
        request: ServerRequest<ProtoCreateTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoTrip> {
        try await respond(to: request, .createTrip)
    }

    func getTrip(
        request: ServerRequest<ProtoGetTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoTrip> {
        try await respond(to: request, .getTrip)
    }

    func updateTrip(
        request: ServerRequest<ProtoUpdateTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoTrip> {
        try await respond(to: request, .updateTrip)
    }

    func deleteTrip(
        request: ServerRequest<ProtoDeleteTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await respond(to: request, .deleteTrip)
    }

    func searchTrips(
        request: ServerRequest<ProtoSearchTripsRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoSearchTripsResponse> {
        try await respond(to: request, .searchTrips)
    }

    func reportBillableTrip(
        request: ServerRequest<ProtoReportBillableTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await respond(to: request, .reportBillableTrip)
    }
}
