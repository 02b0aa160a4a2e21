import Foundation

/// A new folder, removed when the closure returns.
package func withTemporaryDirectory<Result>(
    _ body: (_ path: String) async throws -> Result
) async throws -> Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("fleet-token-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url.path)
}
