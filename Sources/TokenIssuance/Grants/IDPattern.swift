package import FleetToken
import ServiceSupport

/// A glob for whole IDs: `*` is any number of characters, also none, and `?` is exactly one.
///
/// A character is a Unicode scalar that an ID may contain. All others stand for themselves and are compared without any
/// folding or normalization.
package struct IDPattern: Sendable {
    private enum Part: Hashable {
        case scalar(Unicode.Scalar)
        case one
        case any
    }

    /// At most 64 scalars and `?`, and no two `*` in a row: so no more than 129.
    private let parts: [Part]

    /// Creates a pattern by parsing a text.
    ///
    /// - Throws: ``OperatorError`` that describes what to change: for a regular expression; for what no ID matches;
    ///   and for what every ID matches, for which `any` exists.
    init(_ text: String) throws(OperatorError) {
        // It would match nothing, or more than was meant.
        guard !Self.isExpression(text) else {
            throw OperatorError(
                "is a regular expression; patterns are globs, in which * is any characters and ? is one."
            )
        }
        var parts: [Part] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "?": parts.append(.one)
            case "*": if parts.last != .any { parts.append(.any) }
            default:
                guard ResourceID.allows(scalar) else {
                    throw OperatorError("has a character that no ID has. Remove it.")
                }
                parts.append(.scalar(scalar))
            }
        }
        guard ResourceID.isNormalized(text) else {
            throw OperatorError("matches no ID. Use Unicode Normalization Form C (NFC).")
        }
        let length = parts.count { $0 != .any }
        guard length <= ResourceID.maximumScalars else {
            throw OperatorError("is longer than an ID can be, which is \(ResourceID.maximumScalars) characters.")
        }
        let matchesAll = parts.contains(.any) && length <= 1 && (length == 0 || parts.contains(.one))
        guard !matchesAll else {
            throw OperatorError("matches every ID. Write any instead of a pattern.")
        }
        guard parts.contains(.any) || parts.contains(.one) || (try? ResourceID(text)) != nil else {
            throw OperatorError("matches no ID: \(text) alone is none.")
        }
        self.parts = parts
    }

    /// Whether a text has what regular expressions are made of.
    private static func isExpression(_ text: String) -> Bool {
        text.utf8.contains { "[]{}\\^$|()".utf8.contains($0) } || text.contains(".*") || text.contains(".+")
    }

    /// Returns whether the pattern matches the whole ID.
    package func matches(_ id: ResourceID) -> Bool { match(id.rawValue.unicodeScalars).isMatch }

    /// Compares the parts with a text from left to right.
    ///
    /// What does not fit makes the latest `*` take one scalar more;
    /// an earlier one never needs to, because its next part was found as early as possible.
    ///
    /// So each of the text's scalars begins at most one attempt, and an attempt visits each part at most once: no more than
    /// 64 times 129 steps for the longest ID and pattern.
    func match(_ text: String.UnicodeScalarView) -> (isMatch: Bool, steps: Int) {
        var (position, part, steps) = (text.startIndex, 0, 0)
        // What follows the latest `*`, and where in the text that is tried next.
        var attempt: (part: Int, position: String.Index)?
        while position < text.endIndex {
            steps += 1
            let current = part < parts.count ? parts[part] : nil
            if current == .any {
                part += 1
                attempt = (part, position)
            } else if current == .one || current == .scalar(text[position]) {
                part += 1
                position = text.index(after: position)
            } else if let last = attempt {
                position = text.index(after: last.position)
                attempt = (last.part, position)
                part = last.part
            } else {
                return (false, steps)
            }
        }
        return (parts[part...].allSatisfy { $0 == .any }, steps)
    }
}
