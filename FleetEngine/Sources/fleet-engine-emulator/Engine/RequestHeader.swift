/// The header that requests may have; each API has a message of its own.
protocol RegionHeader {
    var regionCode: String { get }
}

/// A request that may have a header.
protocol HeaderCarrying {
    associatedtype Header: RegionHeader
    var hasHeader: Bool { get }
    var header: Header { get }
}

extension HeaderCarrying {
    /// Checks that a header names its region.
    func checkHeader() throws(EngineError) {
        guard !hasHeader || !header.regionCode.isEmpty else { throw .missing("header.region_code", "must be set") }
    }
}

extension ProtoRequestHeader: RegionHeader {}
extension ProtoDeliveryRequestHeader: RegionHeader {}

extension ProtoCreateTripRequest: HeaderCarrying {}
extension ProtoGetTripRequest: HeaderCarrying {}
extension ProtoUpdateTripRequest: HeaderCarrying {}
extension ProtoDeleteTripRequest: HeaderCarrying {}
extension ProtoSearchTripsRequest: HeaderCarrying {}
extension ProtoCreateVehicleRequest: HeaderCarrying {}
extension ProtoGetVehicleRequest: HeaderCarrying {}
extension ProtoUpdateVehicleRequest: HeaderCarrying {}
extension ProtoUpdateVehicleLocationRequest: HeaderCarrying {}
extension ProtoUpdateVehicleAttributesRequest: HeaderCarrying {}
extension ProtoDeleteVehicleRequest: HeaderCarrying {}
extension ProtoListVehiclesRequest: HeaderCarrying {}
extension ProtoSearchVehiclesRequest: HeaderCarrying {}
extension ProtoCreateDeliveryVehicleRequest: HeaderCarrying {}
extension ProtoGetDeliveryVehicleRequest: HeaderCarrying {}
extension ProtoUpdateDeliveryVehicleRequest: HeaderCarrying {}
extension ProtoDeleteDeliveryVehicleRequest: HeaderCarrying {}
extension ProtoListDeliveryVehiclesRequest: HeaderCarrying {}
extension ProtoCreateTaskRequest: HeaderCarrying {}
extension ProtoBatchCreateTasksRequest: HeaderCarrying {}
extension ProtoGetTaskRequest: HeaderCarrying {}
extension ProtoUpdateTaskRequest: HeaderCarrying {}
extension ProtoDeleteTaskRequest: HeaderCarrying {}
extension ProtoListTasksRequest: HeaderCarrying {}
extension ProtoGetTaskTrackingInfoRequest: HeaderCarrying {}
