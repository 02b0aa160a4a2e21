import Foundation
import Synchronization
import SystemPackage
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite(.watchdog)
struct AuditFileTests {
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path }

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func contents(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func append(_ text: String, to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    private func faults(_ paths: String...) throws -> [Int] {
        AuditNumbers.faults(Array(try paths.map(contents).joined()))
    }

    @Test
    func `A symbolic link is refused`() async throws {
        let path = folder + "/audit"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder + "/nothing")
        #expect(throws: OperatorError.self) { try AuditFile.inspect(path: path) }
        let error = #expect(throws: OperatorError.self) { try AuditFile(path: path) }
        #expect(error?.description.contains("is a symbolic link") ?? false)
        #expect(!FileManager.default.fileExists(atPath: folder + "/nothing"))
    }

    /// Another user who may write to the folder must not choose the file that loses its last half line.
    @Test(arguments: [false, true])
    func `A link in place of the file → nothing is written or cut off; the trail goes on without it`(
        isHard: Bool
    ) async throws {
        let (path, moved, target) = (folder + "/audit", folder + "/audit.1", folder + "/target")
        let trail = try AuditTrail(sink: AuditFile(path: path))
        try await trail.append(.sample())
        try temporary.write("a line\nhalf a line".utf8, to: "target")
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        if isHard {
            try FileManager.default.linkItem(atPath: target, toPath: path)
        } else {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
        await #expect(throws: OperatorError.self) { try await trail.append(.sample()) }
        #expect(try contents(target) == Array("a line\nhalf a line".utf8))
        try FileManager.default.removeItem(atPath: path)
        try await trail.append(.sample())
        #expect(try faults(moved, path) == [])
    }

    @Test(arguments: [0o666, 0o620])
    func `A file that other users can change is refused, with the command that fixes it`(mode: Int) async throws {
        let path = folder + "/audit"
        #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: mode]))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = #expect(throws: OperatorError.self) { try AuditFile(path: path) }
        #expect(error?.description.contains("-w \(path)") ?? false)
    }

    @Test
    func `Without the folder nothing is written; with it the trail goes on`() async throws {
        let inner = folder + "/inner"
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        let trail = try AuditTrail(sink: AuditFile(path: inner + "/audit"))
        try await trail.append(.sample())
        try FileManager.default.moveItem(atPath: inner, toPath: folder + "/gone")
        await #expect(throws: OperatorError.self) { try await trail.append(.sample()) }
        await #expect(throws: OperatorError.self) { try await trail.check() }
        try FileManager.default.moveItem(atPath: folder + "/gone", toPath: inner)
        try await trail.check()
        try await trail.append(.sample())
        #expect(try contents(inner + "/audit").count { $0 == UInt8(ascii: "\n") } == 3)
        #expect(try faults(inner + "/audit") == [])
    }

    @Test(
        arguments: [
            (#"{"v":1,"instance":"7","sequence":3,"time":18"#, 1), ("{", 1), ("\0", 3),
            // Where the read begins within the last line, and behind it.
            (" ", 65_500), (" ", 300_000), ("\0", AuditTrail.limit),
        ]
    )
    func `The next write cuts off a partial last line`(text: String, count: Int) async throws {
        let path = folder + "/audit"
        let half = String(repeating: text, count: count)
        do {
            let first = try AuditTrail(sink: AuditFile(path: path))
            try await first.append(.sample())
            try await first.append(.sample())
        }
        let whole = try contents(path)
        try append(half, to: path)
        let trail = try AuditTrail(sink: AuditFile(path: path))
        #expect(try contents(path) == whole + Array(half.utf8), "opening changes nothing")
        try await trail.append(.sample())
        #expect(try contents(path).starts(with: whole))
        #expect(try contents(path).count { $0 == UInt8(ascii: "\n") } == 5)
        #expect(try faults(path) == [])
    }

    @Test
    func `A last line without its newline counts as partial`() async throws {
        let path = folder + "/audit"
        let lines = try AuditTrail.lines(2)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(lines.joined().dropLast())))
        try await AuditTrail(sink: AuditFile(path: path)).append(.sample())
        #expect(try contents(path).count { $0 == UInt8(ascii: "\n") } == 3)
        #expect(try faults(path) == [])
    }

    @Test(
        arguments: [
            "hello", "hello\n", "{}\n", "\n", #"{"v":1,"instance":"7","ti"#,
            #"{"v":2,"instance":"7","sequence":1}"# + "\n",
        ]
    )
    func `A file that is not a trail is refused and unchanged`(text: String) async throws {
        let path = folder + "/notes"
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
        #expect(throws: OperatorError.self) { try AuditTrail(sink: AuditFile(path: path)) }
        let after = try contents(path)
        #expect(after == Array(text.utf8))
    }

    @Test
    func `A folder, a device and a file in a missing folder are refused`() async throws {
        for path in [folder, "/dev/null", folder + "/none/audit"] {
            #expect(throws: OperatorError.self) { try AuditFile(path: path) }
        }
    }

    @Test
    func `A file that another process has locked is refused`() async throws {
        let first = try AuditFile(path: folder + "/audit")
        let error = #expect(throws: OperatorError.self) { try AuditFile(path: folder + "/audit") }
        #expect(try #require(error).description.contains("Another process has locked"))
        withExtendedLifetime(first) {}
    }
}
