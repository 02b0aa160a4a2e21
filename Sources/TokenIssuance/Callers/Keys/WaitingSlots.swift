import Synchronization

/// Bounds how many requests wait for an issuer's keys at once, so that forged tokens delay no other request.
final class WaitingSlots: Sendable {
    /// The number of slots.
    static let maximum = 64
    /// The number of slots that one address may take.
    static let maximumPerAddress = 16

    private struct Taken {
        var count = 0
        var byAddress: [String: Int] = [:]
    }

    private let taken = Mutex(Taken())

    /// The number of slots in use.
    var count: Int { taken.withLock { $0.count } }

    /// Runs an operation in a slot.
    ///
    /// - Parameters:
    ///   - address: The address, or the network, that the request came from.
    ///   - failure: The error to throw if there is no free slot.
    ///   - body: The operation that waits.
    /// - Returns: The result of the body.
    /// - Throws: The failure if there is no free slot, or the error of the body.
    func take<Result, Failure: Error>(
        for address: String,
        elseThrow failure: Failure,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let isTaken = taken.withLock { taken in
            guard taken.count < Self.maximum, taken.byAddress[address, default: 0] < Self.maximumPerAddress else {
                return false
            }
            taken.count += 1
            taken.byAddress[address, default: 0] += 1
            return true
        }
        guard isTaken else { throw failure }
        defer { leave(address) }
        return try await body()
    }

    private func leave(_ address: String) {
        taken.withLock { taken in
            taken.count -= 1
            let count = taken.byAddress[address, default: 1] - 1
            taken.byAddress[address] = count > 0 ? count : nil
        }
    }
}
