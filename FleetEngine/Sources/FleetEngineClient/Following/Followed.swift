/// What is followed by polling: a trip or a shipment.
protocol Followed: Equatable, Sendable {
    /// Whether nothing changes any more.
    var isTerminal: Bool { get }
}
