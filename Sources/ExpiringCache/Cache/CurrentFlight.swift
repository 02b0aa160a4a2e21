/// The flight that the current task works for, so that a fetch that waits for itself is found out.
struct CurrentFlight: Sendable {
    @TaskLocal static var value: CurrentFlight?

    let cache: ObjectIdentifier
    let id: FlightID
}
