import FleetToken

/// Finds the name that a misspelt one was probably meant to be.
package enum Spelling {
    /// Longer names are not compared: the work grows with the square of the length.
    private static let maximumLength = 64

    /// Returns the known name that differs least from a name; nil where none is close.
    ///
    /// A letter missing, added, replaced or swapped with its neighbour is one difference, and so few as one in three
    /// letters count as close. Upper and lower case do not differ.
    package static func suggestion(for name: String, in known: some Sequence<String>) -> String? {
        let letters = lowercased(name)
        guard (1...maximumLength).contains(letters.count) else { return nil }
        let limit = max(1, letters.count / 3)
        return known.map { (name: $0, distance: distance(letters, lowercased($0))) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?
            .name
    }

    /// Returns ` Did you mean NAME?`, to follow a message; empty where no known name is close.
    package static func question(for name: String, in known: some Sequence<String>) -> String {
        suggestion(for: name, in: known).map { " Did you mean \($0)?" } ?? ""
    }

    private static func lowercased(_ name: String) -> [UInt8] {
        name.utf8.prefix(maximumLength + 1).lowercasedASCII
    }

    /// The number of differences: the restricted Damerau–Levenshtein distance.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var rows = [Array(0...other.count)]
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
