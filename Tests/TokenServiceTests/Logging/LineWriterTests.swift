import Foundation
import Testing

@testable import TokenService

struct LineWriterTests {
    /// The lines are longer than a pipe takes in one piece, and more than it holds.
    @Test(.timeLimit(.minutes(1)))
    func linesOfManyThreadsStayWhole() async throws {
        let pipe = Pipe()
        let writer = LineWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let threads = 4
        let linesPerThread = 25
        async let read = pipe.bytesToEnd()
        await withTaskGroup { group in
            for thread in 0..<threads {
                group.addTask {
                    let line = [UInt8](repeating: UInt8(ascii: "a") + UInt8(thread), count: 20_000) + [0x0A]
                    for _ in 0..<linesPerThread { writer.writeLine(line) }
                }
            }
        }
        try pipe.fileHandleForWriting.close()
        let lines = await read.split(separator: 0x0A)
        #expect(lines.count == threads * linesPerThread)
        #expect(lines.allSatisfy { line in line.count == 20_000 && line.allSatisfy { $0 == line.first } })
    }

    @Test(.timeLimit(.minutes(1)))
    func descriptorThatDoesNotBlockGetsAllTheSame() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        async let read = pipe.bytesToEnd()
        LineWriter(descriptor: descriptor).writeLine([UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000))
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
    ///
    /// Read on a thread of its own: writers that wait for a full pipe may hold all the threads that tasks have.
    fileprivate func bytesToEnd() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes: [UInt8] = []
                while true {
                    let data = self.fileHandleForReading.availableData
                    if data.isEmpty { break }
                    bytes += data
                }
                continuation.resume(returning: bytes)
            }
        }
    }
}
