import NIOCore

/// Why there is no response from another server.
package enum OutgoingError: Error, Hashable {
    /// It has more bytes than the request allows.
    case tooLarge
    /// It took longer than the request allows.
    case timedOut
    /// Another reason, in a few words that contain nothing that the server sent.
    case failed(String)

    /// Creates the error for the one that a connection ended with.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as OutgoingError: error
            case is NIOTooManyBytesError: .tooLarge
            default: .failed(ConnectionFailure.text(of: error))
            }
    }
}

extension OutgoingError: CustomStringConvertible {
    /// The reason in short, for an operator.
    package var description: String {
        switch self {
        case .tooLarge: "the response is too large"
        case .timedOut: "timed out"
        case .failed(let reason): reason
        }
    }
}

/// Runs an operation on the network, and cancels it after a time.
///
/// - Parameters:
///   - timeout: The time; nil for no limit.
///   - clock: The clock of the time.
///   - operation: The operation.
/// - Returns: The result of the operation.
/// - Throws: ``OutgoingError`` for any error of the operation.
package func withTimeout<Result: Sendable>(
    _ timeout: Duration?,
    clock: ServiceClock,
    _ operation: @escaping @Sendable () async throws -> Result
) async throws(OutgoingError) -> Result {
    do {
        guard let timeout else { return try await operation() }
        return try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await operation() }
            group.addTask {
                try await clock.sleep(for: timeout)
                throw OutgoingError.timedOut
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    } catch {
        throw OutgoingError(error)
    }
}
