import Foundation
import Libc

/// A library that signs several messages at once: Intel's, or one that stands in for it and does what a test tells it.
public struct LaneLibrary: Sendable {
    /// The library's file.
    public let path: String
    private let control: String?

    /// Compiles the one that stands in, `Tests/Lanes/lanes.c`.
    ///
    /// - Parameters:
    ///   - directory: The folder for its files.
    ///   - definition: A macro to define, such as `INCOMPLETE`.
    /// - Throws: What the compiler says.
    public init(compiledIn directory: String, defining definition: String = "COMPLETE") async throws {
        path = "\(directory)/lanes-\(UUID().uuidString).so"
        control = "\(path).control"
        let source = Self.root.appendingPathComponent("Tests/Lanes/lanes.c").path
        let arguments = [
            "-shared", "-fPIC", "-O1", "-D\(definition)", "-DCONTROL=\"\(path).control\"", "-o", path, source,
            "-lcrypto",
        ]
        let outcome = try await CommandRunner(path: "/usr/bin/cc", in: directory).run(arguments)
        guard outcome.status == 0 else { throw Failure(description: outcome.output) }
    }

    private init(path: String) {
        self.path = path
        control = nil
    }

    private static let folder = root.appendingPathComponent(".build/venv/lib").path
    private static let intels = "\(folder)/libcrypto_mb.so.13"

    /// Whether Intel's is installed, and this processor has the instructions that it uses.
    public static var hasIntels: Bool {
        let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        return processor.contains(" avx512ifma") && processor.contains(" avx512_vbmi2")
            && FileManager.default.fileExists(atPath: intels)
    }

    /// What a test lacks without it: the one that stands in computes with libcrypto, so its signatures prove nothing.
    public static let lack: String = "needs a processor with AVX-512 IFMA, and crypto_mb; see scripts/install.sh"

    /// Returns Intel's, as `scripts/install.sh test` installed it.
    ///
    /// - Throws: An error that names what is missing.
    public static func intel() throws -> LaneLibrary {
        guard hasIntels else { throw Failure(description: lack) }
        // What it needs is in no folder of the loader's; the loader takes what is loaded already.
        for name in ["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"] { dlopen("\(folder)/\(name)", RTLD_NOW) }
        return LaneLibrary(path: intels)
    }

    /// Tells it what to do from now on, such as "wrong 3".
    public func tell(_ order: String) throws {
        guard let control else { return }
        try Data("\(order)\n".utf8).write(to: URL(fileURLWithPath: control), options: .atomic)
    }

    /// The package's folder.
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
