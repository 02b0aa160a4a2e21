import GRPCCore
import SwiftProtobuf

/// Vehicles over gRPC.
struct VehicleServiceShell: ProtoVehicleService.ServiceProtocol, GRPCShell {
    let engine: Engine

    func createVehicle(
        request: ServerRequest<ProtoCreateVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoVehicle> {
        try await respond(to: request, .createVehicle)
    }

    func getVehicle(
        request: ServerRequest<ProtoGetVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoVehicle> {
        try await respond(to: request, .getVehicle)
    }

    func updateVehicle(
        request: ServerRequest<ProtoUpdateVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoVehicle> {
        try await respond(to: request, .updateVehicle)
    }

    func updateVehicleLocation(
        request: ServerRequest<ProtoUpdateVehicleLocationRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoVehicleLocation> {
        try await respond(to: request, .updateVehicleLocation)
    }

    func updateVehicleAttributes(
        request: ServerRequest<ProtoUpdateVehicleAttributesRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoUpdateVehicleAttributesResponse> {
        try await respond(to: request, .updateVehicleAttributes)
    }

    func listVehicles(
        request: ServerRequest<ProtoListVehiclesRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoListVehiclesResponse> {
        try await respond(to: request, .listVehicles)
    }

    func searchVehicles(
        request: ServerRequest<ProtoSearchVehiclesRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoSearchVehiclesResponse> {
        try await respond(to: request, .searchVehicles)
    }

    func searchFuzzedVehicles(
        request: ServerRequest<ProtoSearchVehiclesRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoSearchVehiclesResponse> {
        try await respond(to: request, .searchFuzzedVehicles)
    }

    func deleteVehicle(
        request: ServerRequest<ProtoDeleteVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await respond(to: request, .deleteVehicle)
    }
}
