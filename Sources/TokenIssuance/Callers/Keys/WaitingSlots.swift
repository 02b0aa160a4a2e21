import ServiceSupport
import Synchronization

/// Bounds how many requests wait for an issuer's keys at once, so that forged tokens delay no other request.
final class WaitingSlots: Sendable {
    /// The number of slots.
    static let maximum = 64
    /// The number of slots that one address may take.
    static let maximumPerAddress = 16

    private let taken = Mutex(NetworkCounts(maximum: maximum, perAddress: maximumPerAddress))

    /// The number of slots in use.
    var count: Int { taken.withLock { $0.total } }

    /// Runs an operation in a slot.
    ///
    /// - Parameters:
    ///   - client: The client, whose larger network may take twice as many slots as an address.
    ///   - failure: The error to throw if there is no free slot.
    ///   - body: The operation that waits.
    /// - Returns: The result of the body.
    /// - Throws: The failure if there is no free slot, or the error of the body.
    func take<Result, Failure: Error>(
        for client: ClientNetwork,
        elseThrow failure: Failure,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let isTaken = taken.withLock { taken in
            guard taken.hasRoom(for: client) else { return false }
            taken.add(client)
            return true
        }
        guard isTaken else { throw failure }
        defer { taken.withLock { $0.remove(client) } }
        return try await body()
    }
}
