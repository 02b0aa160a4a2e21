import IssuanceTestSupport
import JOSE
import StrictCoding
import Testing

@testable import ServiceTools
@testable import TokenIssuance

@Suite("Verification of audit trails")
struct AuditVerificationTests {
    @Test("A whole trail has no problem")
    func wholeTrail() throws {
        var verification = AuditVerification()
        verification.read(Array(try AuditTrail.lines(20).joined()))
        #expect(verification.lines == 20)
        #expect(verification.problems == [])
    }

    @Test("A trail continues from file to file, in their order only")
    func files() throws {
        let lines = try AuditTrail.lines(9)
        #expect(AuditVerification.problems(Array(lines[0..<4]), [], Array(lines[4..<9])) == [])
        // The later file alone has nothing before it to compare.
        #expect(AuditVerification.problems(Array(lines[4..<9])) == [])
        #expect(AuditVerification.problems(Array(lines[4..<9]), Array(lines[0..<4])) == [1])
        #expect(AuditVerification.problems(Array(lines[0..<3]), Array(lines[4..<9])) == [1])
    }

    @Test("Every changed byte is found")
    func changedByte() throws {
        let lines = try AuditTrail.lines(3)
        for index in lines[1].indices {
            var changed = lines
            changed[1][index] ^= 1
            #expect(!AuditVerification.problems(changed).isEmpty, "byte \(index)")
        }
    }

    @Test("A line that was removed, added or moved is found")
    func lines() throws {
        let lines = try AuditTrail.lines(6)
        for index in 1..<5 {
            var removed = lines
            removed.remove(at: index)
            #expect(AuditVerification.problems(removed) == [index + 1])
            var doubled = lines
            doubled.insert(lines[index], at: index)
            #expect(AuditVerification.problems(doubled).first == index + 2)
            var swapped = lines
            swapped.swapAt(index, index - 1)
            #expect(!AuditVerification.problems(swapped).isEmpty)
            var foreign = lines
            foreign.insert(try #require(try AuditTrail.lines(20).last), at: index)
            #expect(AuditVerification.problems(foreign).first == index + 1)
            var empty = lines
            empty.insert([UInt8(ascii: "\n")], at: index)
            #expect(AuditVerification.problems(empty).first == index + 1)
            var spaced = lines
            spaced[index].insert(UInt8(ascii: " "), at: spaced[index].count - 1)
            #expect(AuditVerification.problems(spaced) == [index + 2])
        }
    }

    @Test("Garbage in a line’s place is one problem: the chain begins again after it")
    func replacedLine() throws {
        var lines = try AuditTrail.lines(5)
        lines[2] = Array("garbage\n".utf8)
        #expect(AuditVerification.problems(lines) == [3])
    }

    @Test("A changed number of the last line is found, although no line follows it")
    func lastNumber() throws {
        var lines = try AuditTrail.lines(5)
        let text = String(decoding: lines[4], as: UTF8.self).replacing(#""sequence":5"#, with: #""sequence":6"#)
        lines[4] = Array(text.utf8)
        #expect(AuditVerification.problems(lines) == [5])
    }

    @Test("Part of a line is found")
    func partialLine() throws {
        let lines = try AuditTrail.lines(3)
        #expect(AuditVerification.problems(lines + [Array(lines[2].prefix(40))]) == [4])
        #expect(AuditVerification.problems([Array(lines[0].prefix(40))] + lines) == [1])
    }

    @Test("The summary says what is proven and what is not")
    func summary() throws {
        let lines = try AuditTrail.lines(6)
        var whole = AuditVerification()
        whole.read(Array(lines.joined()))
        let hash = SHA256Digest(of: lines[5].dropLast()).hexadecimal
        #expect(whole.summary.contains("6 lines, from number 1 to 6"))
        #expect(whole.summary.contains("No lines are missing before them."))
        #expect(whole.summary.contains(hash))
        #expect(!whole.isBeginningMissing)

        var cut = AuditVerification()
        cut.read(Array(lines[2...].joined()))
        #expect(cut.problems == [] && cut.isBeginningMissing)
        #expect(cut.summary.contains("4 lines, from number 3 to 6"))
        #expect(cut.summary.contains("The beginning is missing: the lines before number 3"))

        var empty = AuditVerification()
        empty.read([])
        #expect(empty.lines == 0 && empty.firstSequence == nil)
    }

    @Test("A trail continues after the given hash, and after no other")
    func predecessor() throws {
        let lines = try AuditTrail.lines(6)
        func verified(after hash: some Sequence<UInt8>) -> AuditVerification {
            var verification = AuditVerification(after: Hexadecimal.text(hash))
            verification.read(Array(lines[2...].joined()))
            return verification
        }
        let right = verified(after: SHA256Digest(of: lines[1].dropLast()).bytes)
        #expect(right.problems == [] && !right.isBeginningMissing)
        let wrong = verified(after: SHA256Digest(of: lines[0].dropLast()).bytes)
        #expect(wrong.problems.map(\.line) == [1])
    }

    @Test("The first line of a trail has no previous line")
    func firstLine() throws {
        var line = try AuditTrail.lines(1)[0]
        line.replace(Array(String(repeating: "0", count: 64).utf8), with: Array(String(repeating: "a", count: 64).utf8))
        #expect(AuditVerification.problems([line]) == [1])
    }

    /// What a chain cannot show; the type says so, and these fail when it learns to.
    @Test("A changed last line and missing lines at the ends are not found")
    func ends() throws {
        let lines = try AuditTrail.lines(6)
        #expect(AuditVerification.problems(Array(lines.dropLast(2))) == [], "lines missing at the end")
        #expect(AuditVerification.problems(Array(lines.dropFirst(2))) == [], "lines missing at the beginning")
        let other = try AuditTrail.lines(2)
        #expect(AuditVerification.problems(other) == [], "a trail made anew")
        var edited = lines
        let text = String(decoding: lines[5], as: UTF8.self).replacing("vehicle-6", with: "vehicle-7")
        edited[5] = Array(text.utf8)
        #expect(AuditVerification.problems(edited) == [], "the last line changed")
    }
}

extension AuditVerification {
    /// Reads a file.
    fileprivate mutating func read(_ bytes: [UInt8]) {
        begin("")
        add(bytes)
        end()
    }

    /// The line numbers of the problems of a trail in some files.
    fileprivate static func problems(_ files: [[UInt8]]...) -> [Int] {
        var verification = AuditVerification()
        for file in files { verification.read(Array(file.joined())) }
        return verification.problems.map(\.line)
    }
}
