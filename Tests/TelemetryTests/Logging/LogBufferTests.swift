import Testing

@testable import Telemetry

struct LogBufferTests {
    private func line(_ length: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "x"), count: length - 1) + [0x0A] }

    @Test func linesBeyondTheBoundAreDroppedAndCounted() {
        var buffer = LogBuffer(limit: 100)
        // The third would fit, and would stand where the second is missing.
        let added = [60, 60, 10].map { buffer.append(line($0)) }
        #expect(added == [true, false, false])
        var taken: [UInt8] = []
        let dropped = buffer.take(&taken)
        #expect(dropped == 2)
        #expect(taken == line(60))
        #expect(buffer.isEmpty)
        let isAdded = buffer.append(line(10))
        #expect(isAdded)
    }

    @Test func lineLongerThanTheBoundIsWrittenAlone() {
        var buffer = LogBuffer(limit: 100)
        let added = [200, 1].map { buffer.append(line($0)) }
        #expect(added == [true, false])
    }

    @Test func memoryGoesBackAndForth() {
        var buffer = LogBuffer(limit: 100)
        var taken: [UInt8] = []
        taken.reserveCapacity(4096)
        _ = buffer.take(&taken)
        #expect(taken.isEmpty)
        _ = buffer.append(line(10))
        #expect(buffer.bytes.capacity >= 4096)
    }
}
