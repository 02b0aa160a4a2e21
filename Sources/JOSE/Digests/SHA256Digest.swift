import COpenSSL
import FleetToken

/// A SHA-256 digest (FIPS 180-4), stored in place.
package struct SHA256Digest: Hashable, Sendable {
    /// The number of its bytes.
    package static let byteCount = 32

    /// The bytes in their order.
    private var words = SIMD4<UInt64>()

    package init(of message: UnsafeRawBufferPointer) {
        Libcrypto.prepare()
        let succeeded = withUnsafeMutableBytes(of: &words) { digest in
            fleet_token_sha256(message.baseAddress, message.count, digest.baseAddress)
        }
        // It cannot fail with valid arguments; never continue with a wrong digest.
        precondition(succeeded == 1, "libcrypto cannot compute SHA-256")
    }

    package init(of message: [UInt8]) {
        self = message.withUnsafeBytes { Self(of: $0) }
    }

    package init(of message: ArraySlice<UInt8>) {
        self = message.withUnsafeBytes { Self(of: $0) }
    }

    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The digest in lower-case hexadecimal digits.
    package var hexadecimal: String { Hexadecimal.text(bytes) }

    /// Calls a closure with the digest's bytes.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Swift.withUnsafeBytes(of: words, body)
    }

    /// Compares all bytes, wherever the first difference is.
    package static func == (one: Self, other: Self) -> Bool {
        let difference = one.words ^ other.words
        return difference[0] | difference[1] | difference[2] | difference[3] == 0
    }
}
