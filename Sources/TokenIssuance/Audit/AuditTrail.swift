package import JOSE
import Logging
import ServiceSupport
import StrictCoding
import Synchronization
import TokenMinting

/// The record of all decisions: numbered lines of JSON, each with the SHA-256 of the one before.
///
/// A line is written completely before its token is released; if it cannot be written, no token is issued. The chain
/// detects changed, removed and reordered lines. It cannot detect lines missing at the beginning or the end, a change
/// of the last line, or a complete forgery by a user with write access to the file: ship the lines to another system
/// for that. Copies continue the same chain.
///
/// ## How it works
///
/// ```
/// request ──► AuditQueue (32 MiB) ──► one thread numbers, chains and writes all waiting lines ──► requests resume
/// ```
///
/// ```json
/// {"sequence":7,…,"decision":"allow",…,"previous":"9f2c…"}
/// {"sequence":8,…,"decision":"deny",…,"previous":"41ab…"}   ← previous is the SHA-256 of line 7
/// ```
package struct AuditTrail: Sendable {
    /// The form of IDs; the chain is independent of it.
    package var ids: AuditIDs
    /// Whether requests are refused because their lines cannot be written.
    let outage = Outage()
    private let chain: AuditChain

    package struct Position: Sendable, Hashable {
        /// The number of the next line.
        package var sequence: UInt64
        /// The SHA-256 of the last line; nil before the first.
        package let previous: SHA256Digest?

        /// Creates a position.
        package init(sequence: UInt64, previous: SHA256Digest?) {
            self.sequence = sequence
            self.previous = previous
        }

        /// Before the first line.
        package static let start = Position(sequence: 1, previous: nil)

        /// The SHA-256 of the last line as the next line has it: in hexadecimal digits, zeros before the first.
        package var previousText: String {
            var digits: [UInt8] = []
            appendPrevious(to: &digits)
            return String(decoding: digits, as: UTF8.self)
        }

        /// Appends ``previousText`` as ASCII.
        func appendPrevious(to text: inout [UInt8]) {
            if let previous {
                previous.withUnsafeBytes { Hexadecimal.append($0, to: &text) }
            } else {
                text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 2 * SHA256Digest.byteCount))
            }
        }
    }

    /// Counts refused requests, so that the log has the beginning and the end of an outage and not each request.
    final class Outage: Sendable {
        private let refused = Atomic(0)

        /// Counts a refused request.
        ///
        /// - Returns: Whether it is the first.
        func count() -> Bool { refused.add(1, ordering: .relaxed).oldValue == 0 }

        /// Ends the outage.
        ///
        /// - Returns: The number of refused requests; 0 if there was no outage.
        func end() -> Int { refused.load(ordering: .relaxed) == 0 ? 0 : refused.exchange(0, ordering: .relaxed) }
    }

    /// Creates a trail that continues after the sink's last line.
    ///
    /// - Throws: ``ConfigurationError`` if the sink cannot be written to, or its last line is not an audit line.
    package init(sink: any AuditSink, ids: AuditIDs, _ writing: AuditWriting = AuditWriting()) throws {
        self.ids = ids
        chain = AuditChain(sink, position: try sink.lastLine().map(Self.position(after:)) ?? .start, writing: writing)
    }

    /// Records a decision.
    ///
    /// Lines of concurrent requests are written together. A line that is not written in time is withdrawn. If the writer
    /// has already taken it, it may be written after all: a line without a token is possible, a token without its line is not.
    ///
    /// - Throws: If it could not be written whole and in time. No token may be issued then.
    func append(_ record: AuditRecord) async throws {
        try await append(record.line(ids: ids))
    }

    /// Adds a line, as ``append(_:)`` does.
    func append(_ line: AuditLineDraft) async throws { try await chain.append(CollectionOfOne(line)) }

    /// Adds lines, all of them or none.
    ///
    /// - Throws: If they could not be written whole and in time.
    func append(_ lines: [AuditLineDraft]) async throws {
        try await chain.append(lines)
    }

    /// Logs the first failure of an outage.
    ///
    /// Inlined, the log's metadata would be in the task's memory of each request: 1,088 bytes in place of 112.
    @inline(never)
    func log(outage error: any Error, at requestID: RequestID, to logger: Logger) {
        var metadata: Logger.Metadata = ["error": "\(OperatorMessage(error))"]
        metadata[.requestID] = "\(requestID)"
        if case AuditObstacle.overloaded = error {
            logger.warning("The audit trail is overloaded. Requests are refused.", metadata: metadata)
        } else {
            logger.error(
                "Writing the audit trail failed. Requests are refused until it is written again.",
                metadata: metadata
            )
        }
    }

    /// Checks whether the next line can be written, without writing one.
    package func check() async throws { try await chain.check() }

    /// Fails requests that have waited for too long.
    package func expire() { chain.expire() }

    static let notATrail =
        "The last line of the audit file is not an audit line. Use a new file, or move this one away."

    private static func position(after line: [UInt8]) throws -> Position {
        guard let sequence = AuditLine(line)?.sequence else {
            throw ConfigurationError(notATrail)
        }
        return Position(sequence: sequence + 1, previous: SHA256Digest(of: line))
    }
}
