import FleetToken

extension String {
    /// The text with everything escaped that could act on a terminal or hide there; line feeds stay as they are.
    package var harmlessOnTerminal: String { escaped { $0.isInvisible && $0 != "\n" } }

    /// The same in one line: line feeds are escaped too, so that no text passes for another line.
    package var harmlessLine: String { escaped(where: \.isInvisible) }

    private func escaped(where isHarmful: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isHarmful) else { return self }
        var output = UnicodeScalarView()
        for scalar in unicodeScalars {
            if isHarmful(scalar) {
                output.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                output.append(scalar)
            }
        }
        return String(output)
    }
}
