import Foundation
import SystemPackage
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport

/// What is read is what was checked, whatever happens to the path meanwhile.
@Suite(.watchdog(seconds: 30))
struct TrustedFileReadingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test
    func `A trusted file is read, also through links and folders of several kinds`() throws {
        let path = try folder.write([1, 2, 3], to: "key")
        try folder.makeFolder("inner")
        try folder.link("absolute", to: path)
        try folder.link("relative", to: "inner/../key")
        try folder.link("inner/back", to: "../absolute")
        for name in ["key", "absolute", "relative", "inner/back", "inner/../inner/./back", "inner//back"] {
            #expect(try TrustedFile(folder.file(name)).read(isPrivate: true) == [1, 2, 3], "\(name)")
        }
    }

    @Test(arguments: [0o666, 0o602, 0o644])
    func `A file that others can write, or read where it is private, is not read`(mode: Int) throws {
        let path = try folder.write([1], to: "key", mode: mode)
        let error = #expect(throws: OperatorError.self) { try TrustedFile(path).read(isPrivate: true) }
        #expect(error?.description.contains("chmod") == true)
    }

    @Test
    func `A folder, a pipe, a missing file, a loop of links and a large file are errors that name the path`() throws {
        mkfifo(folder.file("pipe"), 0o600)
        try folder.link("loop", to: "loop")
        try folder.write([UInt8](repeating: 0, count: 65_537), to: "large")
        for name in ["", "pipe", "none", "loop", "large", "large/x"] {
            let path = folder.file(name)
            let error = #expect(throws: OperatorError.self, "\(name)") { try TrustedFile(path).read() }
            #expect(error?.description.hasPrefix("Cannot read \(path)") == true, "\(error?.description ?? "")")
        }
    }

    @Test
    func `A file that is replaced while it is read is read as it was`() throws {
        let path = try folder.write([1], to: "key")
        let bytes = try TrustedFile(path).opened { file, _ in
            rename(try folder.write([1, 2], to: "next"), path)
            return try FileContent.read(file, atMost: 10)
        }
        #expect(bytes == [1])
    }

    @Test
    func `A path that is exchanged while it is read gives a trusted file's content or an error, never another's`()
        async throws
    {
        // The folder inside is trusted or writable by all in turn, and so are the files with which it is exchanged.
        for (path, mode, byte) in [("good", 0o755, UInt8(1)), ("bad", 0o777, UInt8(2))] {
            try folder.makeFolder(path, mode: mode)
            try folder.write([byte], to: "\(path)/key")
        }
        let link = folder.file("current")
        let next = folder.file("next")
        let exchanges = Task.detached {
            var count = 0
            while !Task.isCancelled {
                symlink(count.isMultiple(of: 2) ? "good" : "bad", next)
                rename(next, link)
                count += 1
            }
            return count
        }
        var (read, refused) = (0, 0)
        while read < 50 || refused < 50 {
            do {
                guard try TrustedFile(link + "/key").read() == [1] else {
                    Issue.record("A file that is not trusted was read.")
                    break
                }
                read += 1
            } catch {
                refused += 1
            }
        }
        exchanges.cancel()
        #expect(await exchanges.value > 0)
    }
}
