import FleetToken
import SwiftProtobuf

extension Endpoint where Request == ProtoCreateTripRequest, Response == ProtoTrip {
    static var createTrip: Self {
        Self(
            method: .createTrip,
            name: \.parent,
            collection: nil,
            need: { request, _, _ in Need(.createTrip, claims: [.id(.trip, request.tripID)]) },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.createTrip(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoGetTripRequest, Response == ProtoTrip {
    static var getTrip: Self {
        Self(
            method: .getTrip,
            name: \.name,
            collection: .trips,
            need: { _, name, _ in Need(.getTrip, claims: [.id(.trip, name.id)]) },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.getTrip(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoUpdateTripRequest, Response == ProtoTrip {
    static var updateTrip: Self {
        Self(
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
            handle: { fleet, request, _, now throws(EngineError) in try fleet.updateTrip(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoDeleteTripRequest, Response == Google_Protobuf_Empty {
    static var deleteTrip: Self {
        Self(
            method: .deleteTrip,
            name: \.name,
            collection: .trips,
            need: { _, name, _ in Need(.deleteTrip, claims: [.id(.trip, name.id)]) },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.deleteTrip(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoSearchTripsRequest, Response == ProtoSearchTripsResponse {
    static var searchTrips: Self {
        Self(
            method: .searchTrips,
            name: \.parent,
            collection: nil,
            need: { request, _, _ in
                // A driver finds the trips of the driver's vehicle.
                let vehicle = request.vehicleID.isEmpty ? [] : [Need.Claim.id(.vehicle, request.vehicleID)]
                return Need(.searchTrips, claims: [.every(.trip)] + vehicle)
            },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.searchTrips(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoReportBillableTripRequest, Response == Google_Protobuf_Empty {
    static var reportBillableTrip: Self {
        Self(
            method: .reportBillableTrip,
            name: \.name,
            collection: .billableTrips,
            need: { _, name, _ in Need(.reportBillableTrip, claims: [.id(.trip, name.id)]) },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.reportBillableTrip(request) }
        )
    }
}
