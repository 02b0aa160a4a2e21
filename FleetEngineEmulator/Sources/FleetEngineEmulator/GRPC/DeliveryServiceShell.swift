import GRPCCore
import SwiftProtobuf

/// Delivery vehicles and tasks over gRPC.
struct DeliveryServiceShell: ProtoDeliveryService.ServiceProtocol, GRPCShell {
    let engine: Engine

    func createDeliveryVehicle(
        request: ServerRequest<ProtoCreateDeliveryVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoDeliveryVehicle> {
        try await respond(to: request, .createDeliveryVehicle)
    }

    func getDeliveryVehicle(
        request: ServerRequest<ProtoGetDeliveryVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoDeliveryVehicle> {
        try await respond(to: request, .getDeliveryVehicle)
    }

    func updateDeliveryVehicle(
        request: ServerRequest<ProtoUpdateDeliveryVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoDeliveryVehicle> {
        try await respond(to: request, .updateDeliveryVehicle)
    }

    func listDeliveryVehicles(
        request: ServerRequest<ProtoListDeliveryVehiclesRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoListDeliveryVehiclesResponse> {
        try await respond(to: request, .listDeliveryVehicles)
    }

    func deleteDeliveryVehicle(
        request: ServerRequest<ProtoDeleteDeliveryVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await respond(to: request, .deleteDeliveryVehicle)
    }

    func createTask(
        request: ServerRequest<ProtoCreateTaskRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoTask> {
        try await respond(to: request, .createTask)
    }

    func batchCreateTasks(
        request: ServerRequest<ProtoBatchCreateTasksRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoBatchCreateTasksResponse> {
        try await respond(to: request, .batchCreateTasks)
    }

    func getTask(
        request: ServerRequest<ProtoGetTaskRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoTask> {
        try await respond(to: request, .getTask)
    }

    func updateTask(
        request: ServerRequest<ProtoUpdateTaskRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoTask> {
        try await respond(to: request, .updateTask)
    }

    func listTasks(
        request: ServerRequest<ProtoListTasksRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoListTasksResponse> {
        try await respond(to: request, .listTasks)
    }

    func deleteTask(
        request: ServerRequest<ProtoDeleteTaskRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await respond(to: request, .deleteTask)
    }

    func getTaskTrackingInfo(
        request: ServerRequest<ProtoGetTaskTrackingInfoRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<ProtoTaskTrackingInfo> {
        try await respond(to: request, .getTaskTrackingInfo)
    }
}
