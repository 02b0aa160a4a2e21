import ServiceSupport

/// Why a key in a PKCS#11 token cannot be used.
///
/// Its text is for the operator, never for a caller, and holds no PIN.
package struct PKCS11Error: SignerFailure, LoggableError, Hashable {
    /// The problem and its solution.
    package let description: String
    /// The module's return value, if that was the problem.
    let value: UInt?

    init(_ description: String, value: UInt? = nil) {
        self.description = description
        self.value = value
    }

    /// Creates the error for a call that did not return CKR_OK.
    init(function: String, value: UInt) {
        let meaning = Self.meanings[value].map { ": \($0)" } ?? ""
        self.init("\(function) returned 0x\(String(value, radix: 16))\(meaning).", value: value)
    }

    /// Creates the error for a call that has not returned.
    init(hangOf module: String, in function: String, for duration: Duration) {
        let seconds = max(1, duration.components.seconds)
        self.init(
            "\(module) has not returned from \(function) for \(seconds) s. Check the token and the connection to it; if the module never returns, restart the service."
        )
    }

    /// The return values that an operator can do something about.
    private static let meanings: [UInt: String] = [
        0x30: "the token's device failed",
        0x32: "the token was removed",
        0x63: "the key does not support RS256 (CKM_SHA256_RSA_PKCS)",
        0x68: "the key is not allowed to sign (CKA_SIGN)",
        0x70: "the token does not support RS256 (CKM_SHA256_RSA_PKCS)",
        0xA0: "the PIN is wrong",
        0xA4: "the PIN is locked; unlock it with the token vendor's tool",
        0xE0: "the token is not present",
        0x102: "the PIN was never set; set it with the token vendor's tool",
    ]

    /// Whether the token lost its open sessions or handles, so that reopening may help.
    var isLoss: Bool {
        // Device error and removal; key and session handles, login and token that are gone; a reset of the module; and a
        // session in which a call that failed began something.
        [0x30, 0x32, 0x60, 0x82, 0x90, 0xB0, 0xB3, 0xE0, 0x101, 0x190].contains(value)
    }

    var retryAfter: Int { 5 }
    var isOfKey: Bool { true }

    /// Whether the PIN was refused: after some more attempts the token would lock it.
    package var isRefusal: Bool { [0xA0, 0xA1, 0xA2, 0xA3, 0xA4].contains(value) }
}
