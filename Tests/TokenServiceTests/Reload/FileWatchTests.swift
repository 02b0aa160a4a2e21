import Testing

@testable import TokenService

struct FileWatchTests {
    /// Files whose content is told apart by a number.
    private func snapshot(_ files: [String: Int]) -> FileSnapshot {
        FileSnapshot(of: files.keys) { path in
            files[path].map { number in
                .present(.init(device: 1, inode: 2, size: Int64(number), mode: 0o100600, modified: 0, changed: 0))
            } ?? .absent(2)
        }
    }

    /// Whether the files are due after each of some looks at them, when they were read at the first.
    private func due(_ looks: [String: Int]...) -> [Bool] {
        var watch = FileWatch(snapshot(looks[0]))
        return looks.dropFirst().map { watch.isDue(snapshot($0)) }
    }

    @Test("Unchanged files are not due")
    func whatHasNotChangedIsNotRead() {
        #expect(due(["a": 1], ["a": 1], ["a": 1], ["a": 1]) == [false, false, false])
    }

    @Test("A change is due once it was the same for another look")
    func changeIsReadWhenItHeldStillForOneMoreLook() {
        #expect(due(["a": 1, "b": 1], ["a": 2, "b": 1], ["a": 2, "b": 1]) == [false, true])
    }

    @Test("A file that is being written is waited for")
    func fileThatIsBeingWrittenIsWaitedFor() {
        #expect(due(["a": 1], ["a": 2], ["a": 3], ["a": 4], ["a": 4]) == [false, false, false, true])
    }

    @Test("A change that was taken back is none")
    func changeThatWasTakenBackIsNone() {
        #expect(due(["a": 1], ["a": 2], ["a": 1], ["a": 2], ["a": 2]) == [false, false, false, true])
    }

    @Test("A file that keeps changing is due after a bounded number of looks")
    func fileThatIsNeverAtRestDoesNotKeepOthersFromBeingRead() {
        var watch = FileWatch(snapshot(["a": 0]))
        let looks = (1...FileWatch.patience).map { watch.isDue(snapshot(["a": $0])) }
        #expect(looks == [Bool](repeating: false, count: FileWatch.patience - 1) + [true])
    }

    @Test("The watch continues from the files as they were read")
    func whatWasReadIsWhereTheWatchGoesOnFrom() {
        var watch = FileWatch(snapshot(["a": 1]))
        _ = watch.isDue(snapshot(["a": 2]))
        watch.read(snapshot(["a": 2, "b": 1]))
        #expect(watch.known.paths == ["a", "b"])
        let looks = [["a": 2, "b": 1], ["a": 2, "b": 2], ["a": 2, "b": 2]].map { watch.isDue(snapshot($0)) }
        #expect(looks == [false, false, true])
    }
}
