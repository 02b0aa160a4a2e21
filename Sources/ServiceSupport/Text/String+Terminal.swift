extension String {
    /// The text with everything escaped that could act on a terminal or hide there; line feeds stay as they are.
    package var harmlessOnTerminal: String { escaped(unless: { $0.isHarmless || $0 == "\n" }) }

    /// The same in one line: line feeds are escaped too, so that no text passes for another line.
    package var harmlessLine: String { escaped(unless: \.isHarmless) }

    private func escaped(unless isHarmless: (Unicode.Scalar) -> Bool) -> String {
        guard !unicodeScalars.allSatisfy(isHarmless) else { return self }
        var output = UnicodeScalarView()
        for scalar in unicodeScalars {
            if isHarmless(scalar) {
                output.append(scalar)
            } else {
                output.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            }
        }
        return String(output)
    }
}

extension Unicode.Scalar {
    fileprivate var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: !properties.isDefaultIgnorableCodePoint
        }
    }
}
