import Synchronization

/// Bounds how many requests wait for an issuer's keys at once, so that forged tokens delay no other request.
final class WaitingPlaces: Sendable {
    /// How many places there are.
    static let maximum = 64
    /// How many of them one address may take.
    static let maximumPerAddress = 16

    private struct Taken {
        var count = 0
        var byAddress: [String: Int] = [:]
    }

    private let taken = Mutex(Taken())

    /// How many are taken.
    var count: Int { taken.withLock { $0.count } }

    /// Waits in a place.
    ///
    /// - Parameters:
    ///   - address: The address, or the network, that the request came from.
    ///   - failure: The error to throw if there is no place.
    ///   - body: The operation that waits.
    /// - Returns: The result of the body.
    /// - Throws: The failure if there is no place, or the error of the body.
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
