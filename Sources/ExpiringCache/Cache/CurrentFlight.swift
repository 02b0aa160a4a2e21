/// The flight that the current task works for; used to detect a fetch that waits for itself.
struct CurrentFlight: Sendable {
    @TaskLocal static var value: CurrentFlight?

    let cache: ObjectIdentifier
    let id: FlightID
}
