#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs libFuzzer on the parser that `FUZZ_TARGET` names; the arguments are libFuzzer's.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &arguments) { bytes, count in
                Fuzz.target(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            }
        )
    }

    private static let target: (@Sendable ([UInt8]) -> Void) = {
        let targets: [String: @Sendable ([UInt8]) -> Void] = [
            "json": fuzzJSON,
            "jws": fuzzCompactJWS,
            "jwkset": fuzzJWKSet,
            "configuration": fuzzConfiguration,
            "verification": fuzzVerification,
            "yaml": fuzzYAML,
            "target": fuzzRequestTarget,
        ]
        guard let name = getenv("FUZZ_TARGET"), let target = targets[String(cString: name)] else {
            fatalError("FUZZ_TARGET is one of \(targets.keys.sorted().joined(separator: ", ")).")
        }
        return target
    }()
}

// libFuzzer's loop; its own `main` is not used, since SwiftPM gives an executable one.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
