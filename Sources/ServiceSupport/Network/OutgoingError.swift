import NIOCore

/// Why there is no response from another server.
package enum OutgoingError: Error, Hashable, CustomStringConvertible {
    /// It has more bytes than the request allows.
    case tooLarge
    /// It took longer than the request allows.
    case timedOut
    /// Another reason, in a few words that contain nothing that the server sent.
    case failed(String)

    /// Creates the error for the one that a connection ended with.
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as OutgoingError: error
            case is NIOTooManyBytesError: .tooLarge
            default: .failed(ConnectionFailure.text(of: error))
            }
    }

    /// The reason in short, for an operator.
    package var description: String {
        switch self {
        case .tooLarge: "the response is too large"
        case .timedOut: "timed out"
        case .failed(let reason): reason
        }
    }
}
