import Crypto
import JOSE
import ServiceConfiguration
import TokenMinting

/// The record of all decisions: numbered lines of JSON, each with the SHA-256 of the one before.
///
/// A line is written whole before the token that it records leaves; where it cannot be written there is no token. The
/// chain shows that a line was changed, taken out or moved. It cannot show that lines are missing at the beginning or at
/// the end, that the last line was changed, or that somebody who may write to the file made all of it anew: ship the
/// lines elsewhere for that. Copies go on with the same chain.
package struct AuditTrail: Sendable {
    /// How it shows IDs; the chain is the same, whichever way they are shown.
    package var ids: AuditIDs
    private let chain: AuditChain

    /// Where the trail stands.
    package struct Position: Sendable, Hashable {
        /// The number of the next line.
        package var sequence: UInt64
        /// The SHA-256 of the last line; zeros before the first.
        package var previous: [UInt8]

        /// Creates a position.
        package init(sequence: UInt64, previous: [UInt8]) {
            self.sequence = sequence
            self.previous = previous
        }

        /// Before the first line.
        package static let start = Position(sequence: 1, previous: [UInt8](repeating: 0, count: 32))
    }

    /// A trail that goes on where the sink's last line ends.
    ///
    /// - Throws: ``ConfigurationError`` when the sink cannot be written to, or its last line is no audit line.
    package init(sink: any AuditSink, ids: AuditIDs, _ writing: AuditWriting = AuditWriting()) throws {
        self.ids = ids
        chain = AuditChain(sink, try sink.lastLine().map(Self.position(after:)) ?? .start, writing)
    }

    /// Records a decision.
    ///
    /// Lines of concurrent requests are written together. A line that is not written in time is withdrawn. If the writer
    /// has already taken it and writes it after all, the next line says that it was late.
    ///
    /// - Throws: If it could not be written whole and in time. No token may be issued then.
    func append(_ record: AuditRecord) async throws {
        try await chain.append(CollectionOfOne(record.line(ids: ids)))
    }

    /// Adds lines, all of them or none.
    ///
    /// - Throws: If they could not be written whole and in time.
    func append(_ lines: [AuditLineDraft]) async throws {
        try await chain.append(lines)
    }

    /// Whether the next line can be written, as far as that can be told without writing one.
    package func check() async throws { try await chain.check() }

    /// Fails requests that have waited for too long.
    func expire() { chain.expire() }

    /// Makes the lines durable, without waiting.
    func sync() { chain.sync() }

    static let notATrail =
        "The audit file's last line is not one of an audit trail. Name a new file, or move this one away."

    private static func position(after line: [UInt8]) throws -> Position {
        guard let sequence = AuditLine(line)?.sequence else {
            throw ConfigurationError(notATrail)
        }
        return Position(sequence: sequence + 1, previous: Array(SHA256.hash(data: line)))
    }
}
