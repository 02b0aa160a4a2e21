import Foundation
import NIOPosix
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport

@Suite(.watchdog)
struct LineWriterTests {
    private let thread: NIOThreadPool

    init() {
        thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
    }

    /// Each line is longer than what a pipe holds, so that its writer has to wait in the middle.
    @Test
    func `Lines of many threads stay whole`() async throws {
        defer { thread.shutdownGracefully { _ in } }
        let pipe = Pipe()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let writer = LineWriter(output, limit: .max, on: thread)
        let count = 8
        let linesPerThread = 5
        async let read = pipe.bytesToEnd()
        await withTaskGroup { group in
            for thread in 0..<count {
                group.addTask {
                    await onThread {
                        let line = [UInt8](repeating: UInt8(ascii: "a") + UInt8(thread), count: 200_000) + [0x0A]
                        for _ in 0..<linesPerThread { writer.writeLine(line) }
                    }
                }
            }
        }
        await onThread { writer.flush(within: 60) }
        try pipe.fileHandleForWriting.close()
        let lines = await read.split(separator: 0x0A)
        #expect(lines.count == count * linesPerThread)
        #expect(lines.allSatisfy { line in line.count == 200_000 && line.allSatisfy { $0 == line.first } })
    }

    @Test(
        arguments: [
            ([1], [1]), ([100, 200], [300]), ([16_384, 1], [16_384, 1]), ([16_383, 1, 1], [16_384, 1]),
            ([10_000, 10_000, 5_000], [10_000, 15_000]), ([100_000, 1], [100_000, 1]), ([1, 100_000], [1, 100_000]),
        ] as [(lines: [Int], turns: [Int])]
    )
    func `A write is whole lines of at most 16 KiB, or a longer line`(lines: [Int], turns: [Int]) {
        var rest = lines.flatMap { [UInt8](repeating: UInt8(ascii: "x"), count: $0 - 1) + [0x0A] }[...]
        var sizes: [Int] = []
        while !rest.isEmpty {
            let turn = LineWriter.turn(of: rest)
            sizes.append(turn.count)
            rest = rest[turn.endIndex...]
        }
        #expect(sizes == turns)
    }

    @Test
    func `A descriptor that does not block gets everything too`() async throws {
        defer { thread.shutdownGracefully { _ in } }
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        async let read = pipe.bytesToEnd()
        await onThread {
            let writer = LineWriter(LineOutput(descriptor: descriptor), on: thread)
            writer.writeLine([UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000))
            writer.flush(within: 60)
        }
        try pipe.fileHandleForWriting.close()
        #expect(await read.count == 1_000_000)
    }

    @Test
    func `A line that cannot be written is lost, without a crash or a hang`() throws {
        defer { thread.shutdownGracefully { _ in } }
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        for descriptor in [-1, full.fileDescriptor] {
            let writer = LineWriter(LineOutput(descriptor: descriptor), on: thread)
            for _ in 0..<2 {
                writer.writeLine(Array("lost\n".utf8))
                writer.flush(within: 60)
            }
        }
    }

    /// A pipe without a reader takes 64 KiB, and the writer has 1,000 bytes at a time.
    @Test
    func `A stalled reader blocks no caller, and is told how many lines it missed`() async throws {
        defer { thread.shutdownGracefully { _ in } }
        let pipe = Pipe()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let writer = LineWriter(output, limit: 1000, on: thread)
        writer.reportDrops { Array("missed \($0)\n".utf8) }
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 99) + [0x0A]
        let written = 1000
        for _ in 0..<written { writer.writeLine(line) }
        // Returns although there is no reader.
        await onThread { writer.flush(within: 0.01) }
        async let read = pipe.bytesToEnd()
        await onThread { writer.flush(within: 60) }
        writer.writeLine(line)
        await onThread { writer.flush(within: 60) }
        try pipe.fileHandleForWriting.close()
        let lines = await read.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let missed = lines.compactMap { $0.wholeMatch(of: /missed (\d+)/).flatMap { Int($0.1) } }
        #expect(missed.reduce(0, +) > 100)
        #expect(lines.count - missed.count + missed.reduce(0, +) == written + 1)
        #expect(lines.last?.hasPrefix("x") == true)
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
