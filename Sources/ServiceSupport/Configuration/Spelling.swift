import FleetToken

/// Finds the name that a misspelt one was probably meant to be.
package enum Spelling {
    /// Returns the known name that differs least from a name; nil where none is close.
    ///
    /// A letter missing, added, replaced or swapped with its neighbour is one difference. A name is close if at most one in
    /// three of its letters differs. Upper and lower case do not differ.
    package static func suggestion(for name: String, in known: some Sequence<String>) -> String? {
        let letters = name.utf8.lowercasedASCII
        guard !letters.isEmpty else { return nil }
        let limit = max(1, letters.count / 3)
        return known.map { (name: $0, distance: distance(letters, $0.utf8.lowercasedASCII)) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?
            .name
    }

    /// Returns ` Did you mean NAME?`, to follow a message; empty where no known name is close.
    package static func question(for name: String, in known: some Sequence<String>) -> String {
        suggestion(for: name, in: known).map { " Did you mean \($0)?" } ?? ""
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
