import Libc

/// Intel's library crypto_mb, found at run time: eight RSA operations at once, each in a lane of AVX-512 registers.
///
/// It is part of Intel's Cryptography Primitives, and nothing of it is needed to build this program. A loaded library
/// is never unloaded: a thread may be in it until exit.
package struct CryptoMB: Sendable {
    /// The names under which the system's loader finds it.
    ///
    /// The functions declared here are the same in these versions of its interface.
    package static let names = [13, 12, 11].map { "libcrypto_mb.so.\($0)" }

    typealias Lanes = UnsafePointer<UnsafeMutableRawPointer>
    /// What the library knows of an operation with keys of one size.
    typealias Method = UnsafeRawPointer
    /// Four bits for each lane, from the lowest; 0 for success.
    typealias Status = UInt32

    /// Takes the number of bits.
    let privateMethod: @convention(c) (Int32) -> Method?
    let publicMethod: @convention(c) (Int32) -> Method?
    let workSize: @convention(c) (Method) -> Int32
    /// Takes inputs, outputs, p, q, d mod (p - 1), d mod (q - 1), the inverse of q mod p, bits, method, working memory.
    let raiseToPrivate:
        @convention(c) (
            Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Int32, Method, UnsafeMutableRawPointer
        ) -> Status
    /// Takes inputs, outputs, moduli, bits, method, working memory; the exponent is 65,537.
    let raiseToPublic: @convention(c) (Lanes, Lanes, Lanes, Int32, Method, UnsafeMutableRawPointer) -> Status

    /// Loads the library under the first of its ``names`` that the system's loader finds.
    ///
    /// - Returns: The library.
    /// - Throws: ``JOSEError`` with code ``JOSEError/Code/library`` that describes the problem with the first name.
    package static func installed() throws(JOSEError) -> CryptoMB {
        do {
            return try CryptoMB(names[0])
        } catch {
            for name in names.dropFirst() { if let library = try? CryptoMB(name) { return library } }
            throw error
        }
    }

    /// Loads the library.
    ///
    /// - Parameter path: The file, or a name for which the system's loader searches.
    /// - Throws: ``JOSEError`` with code ``JOSEError/Code/library`` that describes the problem.
    package init(_ path: String) throws(JOSEError) {
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "unknown reason"
            throw JOSEError(.library, "\(path) cannot be loaded (\(reason)).")
        }
        func function<Function>(_ name: String, as type: Function.Type) throws(JOSEError) -> Function {
            guard let symbol = dlsym(library, name) else {
                throw JOSEError(.library, "\(path) is not the library crypto_mb: \(name) is missing.")
            }
            // The library's interface gives the type of the function with this name.
            return unsafeBitCast(symbol, to: type)
        }
        privateMethod = try function(
            "mbx_RSA_private_crt_Method",
            as: (@convention(c) (Int32) -> Method?).self
        )
        publicMethod = try function("mbx_RSA_pub65537_Method", as: (@convention(c) (Int32) -> Method?).self)
        workSize = try function("mbx_RSA_Method_BufSize", as: (@convention(c) (Method) -> Int32).self)
        raiseToPrivate = try function(
            "mbx_rsa_private_crt_mb8",
            as: (@convention(c) (
                Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Int32, Method, UnsafeMutableRawPointer
            ) -> Status).self
        )
        raiseToPublic = try function(
            "mbx_rsa_public_mb8",
            as: (@convention(c) (Lanes, Lanes, Lanes, Int32, Method, UnsafeMutableRawPointer) -> Status).self
        )
    }
}
