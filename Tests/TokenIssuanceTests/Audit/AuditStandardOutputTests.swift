import Foundation
import ServiceSupport
import SystemPackage
import TestSupport
import TestTools
import Testing

@testable import TokenIssuance

@Suite(.watchdog)
struct AuditStandardOutputTests {
    enum Writer: CaseIterable { case trail, log }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test
    func `After a failed write the lines of other writers stay`() throws {
        let path = folder.file("output")
        // One open file for the trail and the log, as with `tokend serve > output 2>&1`.
        let shared = try FileDescriptor.open(
            FilePath(path),
            .readWrite,
            options: [.create],
            permissions: .ownerReadWrite
        )
        defer { try? shared.close() }
        // A second descriptor of the same file fails, as on a full disk.
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        let descriptor = try shared.duplicate()
        defer { try? descriptor.close() }
        let sink = AuditStandardOutput(LineOutput(descriptor: descriptor.rawValue))
        try sink.write(Array("{\"v\":1}\n".utf8))
        _ = try full.duplicate(as: descriptor)
        try full.close()
        #expect(throws: Errno.noSpace) { try sink.write(Array("{\"v\":2}\n".utf8)) }
        #expect(throws: Errno.noSpace) { try sink.check() }
        // What the failed write left, and a line of the log, which comes while the disk has room again.
        try shared.writeAll(Array("{\"v\":log 1\n".utf8))
        _ = try shared.duplicate(as: descriptor)
        try sink.check()
        try shared.writeAll(Array("log 2\n".utf8))
        try sink.check()
        try sink.write(Array("{\"v\":2}\n".utf8))
        let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        #expect(text == "{\"v\":1}\n{\"v\":log 1\n\nlog 2\n{\"v\":2}\n")
    }

    @Test(arguments: Writer.allCases, Writer.allCases)
    func `After a failed write of the trail or the log the next line of either begins on a line of its own`(
        failing: Writer,
        next: Writer
    ) throws {
        let pipe = Pipe()
        let descriptor = FileDescriptor(rawValue: pipe.fileHandleForWriting.fileDescriptor)
        let output = LineOutput(descriptor: descriptor.rawValue)
        let sink = AuditStandardOutput(output)
        func write(_ text: String, by writer: Writer) throws {
            switch writer {
            case .trail: try sink.write(Array(text.utf8))
            case .log: try output.writeLines(Array(text.utf8))
            }
        }
        try write("1\n", by: failing)
        let end = try descriptor.duplicate()
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        _ = try full.duplicate(as: descriptor)
        try full.close()
        #expect(throws: Errno.noSpace) { try write("2\n", by: failing) }
        _ = try end.duplicate(as: descriptor)
        try end.close()
        try write("3\n", by: next)
        try write("4\n", by: next)
        try pipe.fileHandleForWriting.close()
        #expect(pipe.fileHandleForReading.readDataToEndOfFile() == Data("1\n\n3\n4\n".utf8))
    }
}
