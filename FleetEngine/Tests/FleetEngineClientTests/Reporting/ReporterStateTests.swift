import Testing

@testable import FleetEngineClient

struct ReporterStateTests {
    private static func update(_ latitude: Double?, route: [LatLng]? = nil) -> VehicleUpdate {
        VehicleUpdate(
            location: latitude.map { VehicleLocation(location: LatLng(latitude: $0, longitude: 0)) },
            destinationWaypoint: route?.last,
            route: route,
            remainingTime: route == nil ? nil : 60,
            remainingDistance: route == nil ? nil : 500,
            navigationStatus: route == nil ? nil : .enrouteToDestination
        )
    }

    private static let route = [LatLng(latitude: 1, longitude: 1), LatLng(latitude: 2, longitude: 2)]

    /// Handles an input, and answers all samples.
    private func run(
        _ state: inout ReporterState,
        _ input: ReporterState.Input,
        _ sample: VehicleUpdate? = update(1)
    ) -> [ReporterState.Effect] {
        state.handle(input, random: 1).flatMap { effect -> [ReporterState.Effect] in
            guard case .sample(let number) = effect else { return [effect] }
            return state.handle(.sampled(number, sample), random: 1)
        }
    }

    private func sent(_ effects: [ReporterState.Effect]) -> (
        number: UInt64, update: VehicleUpdate, fields: [ReportField]
    )? {
        for case .send(let number, let update, let fields) in effects { return (number, update, fields) }
        return nil
    }

    private func wait(_ effects: [ReporterState.Effect]) -> (number: UInt64, pause: Double)? {
        for case .wait(let number, let pause) in effects { return (number, pause) }
        return nil
    }

    @Test(arguments: [ReportFormat.onDemand, .delivery])
    func `Fields are those that the Driver SDK was recorded to send`(format: ReportFormat) {
        var known = Self.update(1)
        known.vehicleState = format == .onDemand ? .online : nil
        var driving = Self.update(2, route: Self.route)
        driving.vehicleState = known.vehicleState
        func fields(_ update: VehicleUpdate, _ acknowledged: VehicleUpdate?) -> [String] {
            format.fields(of: update, acknowledged: acknowledged).map(\.rawValue)
        }
        let state = format == .onDemand ? ["vehicleState"] : []
        let progress = [format == .onDemand ? "remainingTimeSeconds" : "remainingDuration", "remainingDistanceMeters"]
        let route = ["currentRouteSegment", "currentRouteSegmentEndPoint", "navigationStatus"]
        #expect(fields(known, known) == state + ["lastLocation"])
        #expect(fields(driving, known) == state + ["lastLocation"] + progress + route)
        #expect(fields(driving, driving) == state + ["lastLocation"] + progress)
        // The navigation is over: everything of it is cleared, once.
        #expect(fields(known, driving) == state + ["lastLocation"] + progress + route)
        var nowhere = known
        nowhere.location = nil
        #expect(fields(nowhere, known).isEmpty)
    }

    @Test(
        arguments: [(Double.nan, 0), (.infinity, 0), (0, Double.nan), (91, 0), (0, -181)]
    )
    func `An invalid location is not reported`(latitude: Double, longitude: Double) {
        var state = ReporterState(.delivery)
        var sample = Self.update(1)
        sample.location?.location = LatLng(latitude: latitude, longitude: longitude)
        #expect(sent(run(&state, .enable, sample)) == nil)
        #expect(state.statistics == statistics(0, 0, 1))
    }

    @Test(
        arguments: [(Double.nan, 0), (-1, 0), (59.6, 60), (.infinity, 2_147_483_647)]
    )
    func `A remaining time that is no number, negative or too long is reported as the nearest number of seconds`(
        seconds: Double,
        reported: Int
    ) throws {
        let update = VehicleUpdate(location: nil, remainingTime: seconds)
        let request = ReportFormat.onDemand.request(update, [.remainingTimeSeconds], vehicle: "v1")
        #expect(request.body == Array(#"{"remainingTimeSeconds":\#(reported)}"#.utf8))
    }

    @Test
    func `What failed is sent again with the newest data, what was accepted is not`() throws {
        var state = ReporterState(.delivery)
        var effects = run(&state, .enable, Self.update(1, route: Self.route))
        let first = try #require(sent(effects))
        #expect(first.fields.contains(.currentRouteSegment))
        _ = run(&state, .answer(first.number, FleetEngineError(.unavailable, "")))
        effects = run(&state, .wake(try #require(wait(effects)).number), Self.update(2, route: Self.route))
        let second = try #require(sent(effects))
        #expect(second.fields == first.fields)
        #expect(second.update.location?.location.latitude == 2)
        _ = run(&state, .answer(second.number, nil))
        effects = run(&state, .wake(try #require(wait(effects)).number), Self.update(3, route: Self.route))
        #expect(try #require(sent(effects)).fields == [.lastLocation, .remainingDuration, .remainingDistanceMeters])
        #expect(state.statistics == statistics(1, 1, 0))
    }

    private func statistics(_ succeeded: Int, _ failed: Int, _ empty: Int) -> VehicleReporterStatistics {
        var statistics = VehicleReporterStatistics()
        statistics.succeededUpdates = succeeded
        statistics.failedUpdates = failed
        statistics.emptyMaskUpdates = empty
        return statistics
    }

    @Test
    func `Without a location there is nothing to send, which is counted apart from failures`() throws {
        var state = ReporterState(.delivery)
        let effects = run(&state, .enable, nil)
        #expect(sent(effects) == nil)
        guard case .report(.failed(_, let error)) = effects.last else {
            Issue.record("no report")
            return
        }
        #expect(error.isEmptyMask)
        #expect(wait(effects)?.pause == 10)
        #expect(state.statistics == statistics(0, 0, 1))
        let next = run(&state, .wake(try #require(wait(effects)).number))
        let request = try #require(sent(next))
        _ = run(&state, .answer(request.number, FleetEngineError(.invalidArgument, "update_mask cannot be empty")))
        #expect(state.statistics == statistics(0, 0, 2))
    }

    @Test(
        arguments: [
            (0.0, 5.0), (-1, 5), (5, 5), (12, 12), (60, 60), (61, 60), (.infinity, 60), (.nan, 5),
        ]
    )
    func `The interval is limited to 5 to 60 seconds`(setting: Double, interval: Double) {
        var state = ReporterState(.delivery)
        #expect(wait(run(&state, .enable))?.pause == 10)
        _ = run(&state, .setInterval(setting))
        #expect(state.interval == interval)
    }

    @Test
    func `An update that is due during a request follows it`() throws {
        var state = ReporterState(.delivery)
        let first = run(&state, .enable, Self.update(1))
        let second = run(&state, .wake(try #require(wait(first)).number), Self.update(2))
        #expect(sent(second) == nil)
        let third = run(&state, .answer(try #require(sent(first)).number, nil), Self.update(3))
        #expect(sent(third)?.update.location?.location.latitude == 3)
    }

    @Test
    func `Retry-After delays the next update, also one that became due during the request`() throws {
        var state = ReporterState(.delivery)
        let start = run(&state, .enable)
        _ = run(&state, .wake(try #require(wait(start)).number))
        let request = try #require(sent(start)).number
        let effects = run(&state, .answer(request, FleetEngineError(.resourceExhausted, "", retryAfter: 33)))
        #expect(wait(effects)?.pause == 33)
        #expect(sent(effects) == nil)
    }

    @Test
    func `A vehicle is offline until it is set online, and again after tracking was turned off`() throws {
        var state = ReporterState(.onDemand)
        var effects = run(&state, .enable)
        #expect(sent(effects)?.update.vehicleState == .offline)
        _ = run(&state, .answer(try #require(sent(effects)).number, nil))
        effects = run(&state, .setVehicleState(.online))
        #expect(sent(effects)?.update.vehicleState == .online)
        _ = run(&state, .answer(try #require(sent(effects)).number, nil))
        effects = run(&state, .disable)
        let offline = try #require(sent(effects))
        #expect(offline.fields == [.vehicleState])
        #expect(offline.update.vehicleState == .offline)
        #expect(run(&state, .answer(offline.number, nil)).count == 1)
        // A state that is set before tracking is turned on is reported with the first update.
        #expect(run(&state, .setVehicleState(.online)).isEmpty)
        #expect(sent(run(&state, .enable))?.update.vehicleState == .online)
        #expect(state.vehicleState == .online)
    }

    @Test
    func `The offline update waits for a request under way and for Retry-After, and is tried five times`() throws {
        var state = ReporterState(.onDemand)
        let first = try #require(sent(run(&state, .enable)))
        #expect(sent(run(&state, .disable)) == nil)
        var effects = run(&state, .answer(first.number, FleetEngineError(.unavailable, "")))
        for attempt in 1...5 {
            let offline = try #require(sent(effects))
            #expect(offline.fields == [.vehicleState])
            effects = run(&state, .answer(offline.number, FleetEngineError(.unavailable, "", retryAfter: 20)))
            #expect(wait(effects)?.pause == (attempt == 5 ? nil : 20))
            if let wait = wait(effects) { effects = run(&state, .wake(wait.number)) }
        }
        #expect(sent(effects) == nil)
    }

    @Test
    func `An offline update that is refused is not tried again`() throws {
        var state = ReporterState(.onDemand)
        let first = try #require(sent(run(&state, .enable)))
        _ = run(&state, .answer(first.number, nil))
        let offline = try #require(sent(run(&state, .disable)))
        let effects = run(&state, .answer(offline.number, FleetEngineError(.permissionDenied, "")))
        #expect(wait(effects) == nil)
        #expect(sent(effects) == nil)
    }

    @Test(arguments: 0..<300)
    func `Random traces keep the rules`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let format = seed % 2 == 0 ? ReportFormat.onDemand : .delivery
        var state = ReporterState(format)
        var timer: UInt64?
        var request: UInt64?
        var outcomes = 0
        for _ in 0..<80 {
            let wasEnabled = state.isEnabled
            var answered = false
            let input: ReporterState.Input
            switch Int.random(in: 0..<8, using: &random) {
            case 0: input = .enable
            case 1: input = .disable
            case 2: input = .setVehicleState(Bool.random(using: &random) ? .online : .offline)
            case 3, 4: input = .wake(timer ?? 0)
            case 5: input = .wake(.random(in: 0...40, using: &random))
            default:
                answered = request != nil
                input = .answer(
                    request ?? 0,
                    Bool.random(using: &random) ? nil : FleetEngineError(.unavailable, "")
                )
            }
            if answered { request = nil }
            if case .wake(let number) = input, number == timer { timer = nil }
            let effects = run(&state, input, Bool.random(using: &random) ? nil : Self.update(1))
            for effect in effects {
                switch effect {
                case .send(let number, let update, let fields):
                    #expect(request == nil, "two requests at once")
                    #expect(!fields.isEmpty, "an empty mask was sent")
                    #expect(state.isEnabled || fields == [.vehicleState] && update.vehicleState == .offline)
                    #expect(format == .onDemand || !fields.contains(.vehicleState))
                    request = number
                case .wait(let number, let pause):
                    #expect(pause > 0)
                    timer = number
                case .cancelTimer: timer = nil
                case .report: outcomes += 1
                case .sample: Issue.record("unanswered")
                }
            }
            #expect(!state.isEnabled || timer != nil, "reporting without a timer")
            #expect(
                wasEnabled || state.isEnabled || format == .onDemand || request == nil
                    || !effects.contains {
                        if case .send = $0 { true } else { false }
                    }
            )
            let count = state.statistics
            #expect(count.succeededUpdates + count.failedUpdates + count.emptyMaskUpdates == outcomes)
        }
    }
}
