import Foundation

/// A folder of its own for one test, which goes with it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "fleet-token-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of all that is in the folder.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Writes a file, in place if there is one.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String, mode: Int = 0o600) throws -> String {
        try Data(bytes).write(to: URL(filePath: file(name)))
        try Self.setMode(mode, file(name))
        return file(name)
    }

    /// Creates a folder, with those around it.
    package func makeFolder(_ name: String, mode: Int = 0o755) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        try Self.setMode(mode, file(name))
    }

    /// Creates a symbolic link.
    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
    }

    /// Reads a file.
    package static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// The permission bits of a file or folder.
    package static func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Sets the permission bits of a file or folder.
    package static func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}

/// A new folder, removed when the closure returns.
package func withTemporaryDirectory<Result>(
    _ body: (_ path: String) async throws -> Result
) async throws -> Result {
    let folder = try TemporaryFolder()
    return try await body(folder.path)
}
