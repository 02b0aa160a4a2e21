import SwiftProtobuf

extension Endpoints {
    static let createTrip = Endpoint<ProtoCreateTripRequest, ProtoTrip>(
        method: .createTrip,
        name: \.parent,
        need: { request, _, _ in Need(.createTrip, claims: [.id(.trip, request.tripID)]) },
        handle: { fleet, request, now throws(EngineError) in try fleet.createTrip(request, at: now) }
    )

    static let getTrip = Endpoint<ProtoGetTripRequest, ProtoTrip>(
        method: .getTrip,
        name: \.name,
        collection: .trips,
        need: { _, name, _ in Need(.getTrip, claims: [.id(.trip, name.id)]) },
        handle: { fleet, request, now throws(EngineError) in try fleet.getTrip(request, at: now) }
    )

    static let updateTrip = Endpoint<ProtoUpdateTripRequest, ProtoTrip>(
        method: .updateTrip,
        name: \.name,
        collection: .trips,
        need: { request, name, _ in
            let state: Set<String> = ["trip_status", "intermediate_destination_index"]
            var need = Need(.updateTrip, claims: [.id(.trip, name.id)])
            if !UpdateMask(request.updateMask).fields.isDisjoint(with: state) {
                need.permissions.insert(.updateTripState)
            }
            return need
        },
        handle: { fleet, request, now throws(EngineError) in try fleet.updateTrip(request, at: now) }
    )

    static let deleteTrip = Endpoint<ProtoDeleteTripRequest, Google_Protobuf_Empty>(
        method: .deleteTrip,
        name: \.name,
        collection: .trips,
        need: { _, name, _ in Need(.deleteTrip, claims: [.id(.trip, name.id)]) },
        handle: { fleet, request, now throws(EngineError) in try fleet.deleteTrip(request, at: now) }
    )

    static let searchTrips = Endpoint<ProtoSearchTripsRequest, ProtoSearchTripsResponse>(
        method: .searchTrips,
        name: \.parent,
        need: { request, _, _ in
            // A driver finds the trips of the driver's vehicle.
            let vehicle = request.vehicleID.isEmpty ? [] : [Need.Claim.id(.vehicle, request.vehicleID)]
            return Need(.searchTrips, claims: [.every(.trip)] + vehicle)
        },
        handle: { fleet, request, now throws(EngineError) in try fleet.searchTrips(request, at: now) }
    )

    static let reportBillableTrip = Endpoint<ProtoReportBillableTripRequest, Google_Protobuf_Empty>(
        method: .reportBillableTrip,
        name: \.name,
        collection: .billableTrips,
        need: { _, name, _ in Need(.reportBillableTrip, claims: [.id(.trip, name.id)]) },
        handle: { fleet, request, _ throws(EngineError) in try fleet.reportBillableTrip(request) }
    )
}
