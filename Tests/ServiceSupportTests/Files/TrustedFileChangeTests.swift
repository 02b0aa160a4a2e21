import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ServiceSupport

/// A trusted file that changes between the check and the end of its reading.
struct TrustedFileChangeTests {
    private func write(_ bytes: [UInt8], to path: String) throws {
        // In place, not by renaming.
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test("A file that took the place of the checked one is not opened")
    func replaced() async throws {
        try await withTemporaryDirectory { folder in
            let (path, other) = (folder + "/key", folder + "/other")
            try write([1], to: path)
            try write([2], to: other)
            let route = FileRoute(FilePath(path))
            #expect(route.locations.last?.path.hasSuffix("/key") == true)
            #expect(rename(other, path) == 0)
            #expect(throws: FileRoute.Changed.self) { _ = try route.openFile() }
        }
    }

    @Test("A file that changes at each attempt to read it is an error that says so")
    func changing() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder + "/key"
            try write([1], to: path)
            var attempts = 0
            let error = #expect(throws: FileError.self) {
                try TrustedFile(path).opened { _, _, _ in
                    attempts += 1
                    try write([UInt8](repeating: 1, count: 1 + attempts), to: path)
                }
            }
            #expect(attempts == 5)
            #expect(error?.description.contains("changes while it is read") == true)
        }
    }
}
