extension ProtoVehicle {
    /// Checks the fields that were sent.
    func check(_ fields: Set<String>) throws(EngineError) {
        if fields.contains("vehicle_state"), ![.online, .offline].contains(vehicleState) {
            throw .missing("vehicle.vehicle_state", "must be ONLINE or OFFLINE")
        }
        if fields.contains("supported_trip_types") {
            guard !supportedTripTypes.isEmpty else {
                throw .missing("vehicle.supported_trip_types", "must have at least one type")
            }
            guard supportedTripTypes.allSatisfy({ [.shared, .exclusive].contains($0) }) else {
                throw .invalid("vehicle.supported_trip_types", "must have SHARED and EXCLUSIVE only")
            }
        }
        if fields.contains("maximum_capacity"), maximumCapacity < 1 {
            throw .missing("vehicle.maximum_capacity", "must be at least 1")
        }
        if fields.contains("vehicle_type"), !hasVehicleType || vehicleType.category == .unknown {
            throw .missing("vehicle.vehicle_type", "must have a category")
        }
        if fields.contains("attributes") { try attributes.check("vehicle.attributes", maximum: 100) }
        if fields.contains("last_location"), hasLastLocation { try lastLocation.check("vehicle.last_location") }
        if fields.contains("past_locations") {
            for (index, location) in pastLocations.enumerated() {
                try location.check("vehicle.past_locations[\(index)]")
            }
        }
        if fields.contains("license_plate"), hasLicensePlate { try licensePlate.check() }
        if fields.contains("device_settings") {
            guard (0...100).contains(deviceSettings.batteryInfo.batteryPercentage) else {
                throw .invalid("vehicle.device_settings.battery_info.battery_percentage", "must be from 0 to 100")
            }
        }
        if fields.contains("current_route_segment_traffic") {
            for (index, stretch) in currentRouteSegmentTraffic.trafficRendering.roadStretch.enumerated() {
                let path = "vehicle.current_route_segment_traffic.traffic_rendering.road_stretch[\(index)]"
                guard stretch.style != .unspecified else { throw .missing("\(path).style", "must be set") }
            }
        }
    }

    /// Completes the end of the segment with the waypoint that is there, or restores the old one if the field is ignored.
    mutating func completeEndPoint(_ old: Self, isIgnored: Bool) {
        if isIgnored {
            currentRouteSegmentEndPoint = old.currentRouteSegmentEndPoint
            if !old.hasCurrentRouteSegmentEndPoint { clearCurrentRouteSegmentEndPoint() }
        } else if currentRouteSegmentEndPoint.tripID.isEmpty,
            let waypoint = waypoints.first(where: { $0.location.point == currentRouteSegmentEndPoint.location.point })
        {
            currentRouteSegmentEndPoint = waypoint
        }
    }

    /// Removes what only requests have.
    ///
    /// Traffic stays: trips have it.
    mutating func forgetInput() {
        pastLocations = []
        clearDeviceSettings()
        clearRemainingTimeSeconds()
    }
}

extension ProtoLicensePlate {
    fileprivate func check() throws(EngineError) {
        guard !countryCode.isEmpty else { throw .missing("vehicle.license_plate.country_code", "must be set") }
        let isDigit = lastCharacter.utf8.count == 1 && lastCharacter.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard lastCharacter.isEmpty || isDigit || lastCharacter == "-1" else {
            throw .invalid("vehicle.license_plate.last_character", "must be a digit, or -1 for none")
        }
    }
}
