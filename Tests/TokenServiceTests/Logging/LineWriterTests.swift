import Foundation
import Testing

@testable import Telemetry

struct LineWriterTests {
    /// Each line is longer than what a pipe holds, so that its writer has to wait in the middle.
    @Test(.timeLimit(.minutes(1)))
    func linesOfManyThreadsStayWhole() async throws {
        let pipe = Pipe()
        let writer = LineWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let threads = 8
        let linesPerThread = 5
        async let read = pipe.bytesToEnd()
        await withTaskGroup { group in
            for thread in 0..<threads {
                group.addTask {
                    await onThread {
                        let line = [UInt8](repeating: UInt8(ascii: "a") + UInt8(thread), count: 200_000) + [0x0A]
                        for _ in 0..<linesPerThread { writer.writeLine(line) }
                    }
                }
            }
        }
        try pipe.fileHandleForWriting.close()
        let lines = await read.split(separator: 0x0A)
        #expect(lines.count == threads * linesPerThread)
        #expect(lines.allSatisfy { line in line.count == 200_000 && line.allSatisfy { $0 == line.first } })
    }

    @Test(.timeLimit(.minutes(1)))
    func descriptorThatDoesNotBlockGetsAllTheSame() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        async let read = pipe.bytesToEnd()
        await onThread {
            LineWriter(descriptor: descriptor).writeLine([UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000))
        }
        try pipe.fileHandleForWriting.close()
        #expect(await read.count == 1_000_000)
    }

    @Test(.timeLimit(.minutes(1)))
    func lineThatCannotBeWrittenIsLostAndNothingElse() throws {
        LineWriter(descriptor: -1).writeLine(Array("lost\n".utf8))
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        LineWriter(descriptor: full.fileDescriptor).writeLine(Array("lost\n".utf8))
    }

    @Test func pipeIsNoTerminal() {
        #expect(!LineWriter(descriptor: Pipe().fileHandleForWriting.fileDescriptor).isTerminal)
    }
}

extension Pipe {
    /// All that is written until the other end is closed.
    fileprivate func bytesToEnd() async -> [UInt8] {
        await onThread {
            var bytes: [UInt8] = []
            while true {
                let data = self.fileHandleForReading.availableData
                if data.isEmpty { return bytes }
                bytes += data
            }
        }
    }
}
