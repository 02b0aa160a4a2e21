import EngineCoding
import FleetToken
import Foundation

/// How updates of one type of vehicle are sent.
enum ReportFormat: Sendable {
    case onDemand
    case delivery

    /// Returns the fields to send, as Google's Driver SDK was recorded to choose them.
    ///
    /// Location, and time and distance while the vehicle navigates, are sent each time: they say that the vehicle is
    /// there. The rest is sent when it differs from what Fleet Engine has acknowledged; a field that is absent in the
    /// update but not there is cleared.
    func fields(of update: VehicleUpdate, acknowledged: VehicleUpdate) -> [ReportField] {
        var fields: [ReportField] = []
        func add(_ field: ReportField, if isNeeded: Bool) {
            if isNeeded { fields.append(field) }
        }
        let isOnDemand = self == .onDemand
        let state = update.vehicleState
        add(.vehicleState, if: isOnDemand && (update.location != nil || state != acknowledged.vehicleState))
        add(.lastLocation, if: update.location != nil)
        let time: ReportField = isOnDemand ? .remainingTimeSeconds : .remainingDuration
        add(time, if: update.remainingTime != nil || acknowledged.remainingTime != nil)
        add(
            .remainingDistanceMeters,
            if: update.remainingDistance != nil || acknowledged.remainingDistance != nil
        )
        add(.currentRouteSegment, if: update.route != acknowledged.route)
        add(.currentRouteSegmentEndPoint, if: update.destinationWaypoint != acknowledged.destinationWaypoint)
        add(.navigationStatus, if: update.navigationStatus != acknowledged.navigationStatus)
        return fields
    }

    func request(_ update: VehicleUpdate, _ fields: [ReportField], vehicle: String) -> EngineRequest {
        EngineRequest(
            method: self == .onDemand ? "PUT" : "PATCH",
            path: [self == .onDemand ? "vehicles" : "deliveryVehicles", vehicle],
            query: [("updateMask", fields.map(\.rawValue).joined(separator: ","))],
            body: body(update, fields),
            purpose: self == .onDemand ? .vehicle(vehicle) : .deliveryVehicle(vehicle)
        )
    }

    private func body(_ update: VehicleUpdate, _ fields: [ReportField]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for field in fields { write(field, of: update, to: &writer) }
        }
        return writer.bytes
    }

    /// Writes a field, unless it is to be cleared.
    private func write(_ field: ReportField, of update: VehicleUpdate, to writer: inout JSONWriter) {
        func member<Value>(_ value: Value?, _ write: (Value) -> Void) {
            guard let value else { return }
            writer.name(text: field.rawValue)
            write(value)
        }
        switch field {
        case .vehicleState: member(update.vehicleState) { writer.string($0.protoName) }
        case .lastLocation: member(update.location) { writer.location($0) }
        case .remainingTimeSeconds: member(update.remainingTime) { writer.integer(Int64(Int32(clamping: $0))) }
        case .remainingDuration: member(update.remainingTime) { writer.string(ProtoDuration.text($0)) }
        case .remainingDistanceMeters: member(update.remainingDistance) { writer.integer(Int64($0)) }
        case .currentRouteSegment:
            member(update.route) { route in
                let polyline = Polyline.encode(route.map { ($0.latitude, $0.longitude) })
                // A text in one API, bytes in the other.
                writer.string(self == .onDemand ? polyline : Data(polyline.utf8).base64EncodedString())
            }
        case .currentRouteSegmentEndPoint:
            member(update.destinationWaypoint) { point in
                self == .onDemand ? writer.waypoint(point) : writer.point(point)
            }
        case .navigationStatus: member(update.navigationStatus) { writer.string($0.protoName) }
        }
    }
}

extension Int32 {
    fileprivate init(clamping seconds: TimeInterval) {
        self = Int32(Swift.min(Swift.max(seconds.isNaN ? 0 : seconds.rounded(), 0), 2_147_483_647))
    }
}

extension JSONWriter {
    fileprivate mutating func location(_ location: VehicleLocation) {
        object { writer in
            writer.name("location")
            writer.point(location.location)
            if let heading = location.heading {
                writer.member("heading", heading)
            }
            writer.number("speed", location.speed)
            writer.number("latlngAccuracy", location.horizontalAccuracy)
            if let time = location.updateTime {
                writer.member("updateTime", Timestamp(reported: time).text)
            }
        }
    }

    fileprivate mutating func waypoint(_ point: LatLng) {
        object { writer in
            writer.name("location")
            writer.object { writer in
                writer.name("point")
                writer.point(point)
            }
        }
    }

    fileprivate mutating func point(_ point: LatLng) {
        object { writer in
            writer.number("latitude", point.latitude)
            writer.number("longitude", point.longitude)
        }
    }

    /// Writes a finite number.
    private mutating func number(_ name: String, _ value: Double?) {
        guard let value, value.isFinite else { return }
        self.name(text: name)
        // The shortest text that is read as the same number, which is JSON.
        self.value(.decimal("\(value)"))
    }
}

extension Timestamp {
    /// Creates the time of a report, in milliseconds.
    init(reported date: Date) {
        let milliseconds = Int64((min(max(0, date.timeIntervalSince1970), 1e12) * 1000).rounded())
        self.init(seconds: milliseconds / 1000, nanoseconds: milliseconds % 1000 * 1_000_000)
    }
}
