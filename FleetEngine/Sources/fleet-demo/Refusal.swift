import Foundation

/// Why Fleet Engine refused a request.
struct Refusal: Error, CustomStringConvertible {
    let status: Int
    /// The name of the code, such as `PERMISSION_DENIED`.
    let code: String
    let message: String
    /// The emulator's rule, such as `CLAIM_MISMATCH`.
    let rule: String

    var description: String { "\(code): \(message)" }
}
