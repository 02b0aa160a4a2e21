import GRPCCore
import GRPCProtobuf

extension EngineError {
    /// The error as `google.rpc.Status` in gRPC's trailers.
    var status: GoogleRPCStatus {
        var details: [ErrorDetails] = [.errorInfo(reason: rule.reason, domain: Self.domain, metadata: [:])]
        if !violations.isEmpty {
            details.append(
                .badRequest(violations: violations.map { .init(field: $0.field, description: $0.description) })
            )
        }
        if let retryAfter { details.append(.retryInfo(delay: .seconds(retryAfter))) }
        let code = Status.Code(rawValue: code.rawValue).flatMap { RPCError.Code($0) }
        return GoogleRPCStatus(code: code ?? .unknown, message: message, details: details)
    }
}
