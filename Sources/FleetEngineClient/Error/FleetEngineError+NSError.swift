public import Foundation

extension FleetEngineError: CustomNSError {
    /// The domain of the `NSError`: that of gRPC, which the guides' code compares with.
    public static let errorDomain = "io.grpc"

    /// The code of the `NSError`: the gRPC code.
    public var errorCode: Int { code.number }

    /// The `NSError`'s user info: the message.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}

extension FleetEngineError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}
